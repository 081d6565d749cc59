#!/bin/bash
#SBATCH --job-name=gobonnie
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=00:30:00
#SBATCH --no-requeue
#SBATCH --output=gobonnie-%j.txt
# One report of all nodes of a job: sbatch gobonnie.sh --dir /shared --size 1
# With --kill-on-bad-exit the others end when one rank is killed; otherwise they wait for --barrier-timeout.
exec srun --mpi=pmi2 --kill-on-bad-exit=1 gobonnie --out "gobonnie-$SLURM_JOB_ID.ndjson" "$@"
