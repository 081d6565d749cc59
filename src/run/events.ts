import type { Plan } from '../plan.js';
import type { Measurement, Report, Run, Warning } from '../report/report.js';
import type { Stall } from './stalls.js';

/** What happens during a run, as it happens. */
export type RunEvent =
  | { readonly type: 'start'; readonly plan: Plan; readonly scratchDirectory: string }
  | { readonly type: 'run-start'; readonly run: number }
  | { readonly type: 'phase-start'; readonly run: number; readonly phase: string }
  | { readonly type: 'phase-end'; readonly run: number; readonly measurement: Measurement }
  /** The report so far; its outcome still says that it is running. */
  | { readonly type: 'run-end'; readonly run: number; readonly result: Run; readonly report: Report }
  /** The kernel does not answer. */
  | ({ readonly type: 'stall' } & Stall)
  | { readonly type: 'warning'; readonly warning: Warning }
  | { readonly type: 'end'; readonly report: Report };
