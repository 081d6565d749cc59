#!/bin/bash
#SBATCH --job-name=gobonnie
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=00:30:00
#SBATCH --no-requeue
#SBATCH --output=gobonnie-%j.txt
# Writes one report for all nodes of the job: sbatch gobonnie.sh --dir /shared --size 1
# --kill-on-bad-exit stops the other ranks if one rank is killed. Otherwise they wait for --barrier-timeout.
exec srun --mpi=pmi2 --kill-on-bad-exit=1 gobonnie --format table --out "gobonnie-$SLURM_JOB_ID.ndjson" "$@"
