/**
 * Student's t distribution. With t = √ν · sinh u, its density is proportional to 1 / cosh(u)^ν, which falls so fast that
 * an integral over few points is exact to seven digits.
 */

/** Beyond the u with this density, relative to that at 0, the distribution does not matter. */
const NEGLIGIBLE_DENSITY = 1e-13;
const INTERVALS = 80;
/** Newton's method doubles the correct digits: after a step this small, relative to u, all digits are correct. */
const LAST_STEP = 1e-6;

/**
 * Returns the t that chance alone does not exceed, in either direction, with this probability. The degrees of freedom may
 * be fractional.
 */
export function studentT(confidence: number, degreesOfFreedom: number): number {
  const density = (u: number) => Math.cosh(u) ** -degreesOfFreedom;
  const end = Math.acosh(NEGLIGIBLE_DENSITY ** (-1 / degreesOfFreedom));
  const wanted = confidence * integrate(density, 0, end);
  let u = 0;
  let covered = 0;
  let step: number;
  do {
    // The density falls, so no step from 0 upwards overshoots.
    step = (wanted - covered) / density(u);
    covered += integrate(density, u, u + step);
    u += step;
  } while (step > u * LAST_STEP);
  return Math.sqrt(degreesOfFreedom) * Math.sinh(u);
}

/** Simpson's rule. */
function integrate(density: (u: number) => number, from: number, to: number): number {
  const width = (to - from) / INTERVALS;
  let total = (density(from) - density(to)) / 2;
  for (let interval = 1; interval <= INTERVALS; interval++) {
    const intervalEnd = from + interval * width;
    total += 2 * density(intervalEnd - width / 2) + density(intervalEnd);
  }
  return (total * width) / 3;
}
