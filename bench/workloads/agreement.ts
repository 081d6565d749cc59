/** The seconds of the real tool and of the model on one filesystem. */
export interface Cell {
  readonly filesystem: string;
  readonly isNative: boolean;
  readonly real: number;
  readonly model: number;
}

/** Measured seconds by step, such as `install`. */
export type StepSeconds = Readonly<Record<string, number>>;

/** Reduces the seconds of all rounds to one number: the median, or the minimum on a machine that others use. */
export type Statistic = (values: readonly number[]) => number;

/** Returns NaN if no round has this step. */
export function summarizeStep(rounds: readonly StepSeconds[], step: string, statistic: Statistic): number {
  const values = rounds.map((round) => round[step]).filter((seconds) => seconds !== undefined);
  return values.length > 0 ? statistic(values) : Number.NaN;
}

/** Returns the geometric mean of real seconds / model seconds, its range, and the largest factor between a ratio and the mean. */
export function computeAgreement(cells: readonly Cell[]) {
  const ratios = cells.map(({ real, model }) => real / model);
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  const min = Math.min(...ratios);
  const max = Math.max(...ratios);
  return { mean, min, max, worstError: Math.max(max / mean, mean / min) };
}

/** Fits `real = constant + slope x model` by least squares. */
export function fitLine(cells: readonly Cell[]) {
  const meanModel = cells.reduce((sum, { model }) => sum + model, 0) / cells.length;
  const meanReal = cells.reduce((sum, { real }) => sum + real, 0) / cells.length;
  const covariance = cells.reduce((sum, { real, model }) => sum + (model - meanModel) * (real - meanReal), 0);
  const variance = cells.reduce((sum, { model }) => sum + (model - meanModel) ** 2, 0);
  const slope = covariance / variance;
  return { constant: meanReal - slope * meanModel, slope };
}

/** Forecasts each filesystem from the fit to all others. */
export function forecastEach(cells: readonly Cell[]) {
  return cells.map((left) => {
    const { constant, slope } = fitLine(cells.filter((cell) => cell !== left));
    return { filesystem: left.filesystem, real: left.real, forecast: constant + slope * left.model };
  });
}
