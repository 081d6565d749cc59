/** Student's t distribution, two-sided. Degrees of freedom may be fractional. */

/** Newton's method doubles the correct digits: after a step this small, relative to t, all digits are correct. */
const LAST_STEP = 1e-9;

/** Returns the t that chance alone does not exceed, in either direction, with this probability. */
export function studentT(confidence: number, degreesOfFreedom: number): number {
  let t = 0;
  let step: number;
  do {
    // The tail is convex, so no step from 0 upwards overshoots.
    step = (twoSidedTail(t, degreesOfFreedom) - (1 - confidence)) / (2 * densityAt(t, degreesOfFreedom));
    t += step;
  } while (step > t * LAST_STEP);
  return t;
}

/** Returns the share of the distribution at least as far from 0 as t, on both sides. */
export function twoSidedTail(t: number, degreesOfFreedom: number): number {
  // With a tiny deviation, t * t overflows.
  if (!Number.isFinite(t * t)) return 0;
  return incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
}

function densityAt(t: number, degreesOfFreedom: number): number {
  const half = degreesOfFreedom / 2;
  const logarithm = -(half + 0.5) * Math.log1p((t * t) / degreesOfFreedom) - logBeta(half, 0.5);
  return Math.exp(logarithm) / Math.sqrt(degreesOfFreedom);
}

/** The regularized incomplete beta function (Abramowitz and Stegun 26.5.1), by its continued fraction (26.5.8). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges quickly on this side of the mean, and I(x; a, b) = 1 - I(1 - x; b, a).
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b);
  return (Math.exp(front) / a) * betaFraction(x, a, b);
}

const MAX_TERMS = 500;
const PRECISION = 1e-15;

/** 1 / (1 + d1 / (1 + d2 / (1 + ...))), evaluated from the front by the ratios of its convergents. */
function betaFraction(x: number, a: number, b: number): number {
  let value = 1;
  let numerators = 1;
  let denominators = 0;
  for (let term = 1; term < MAX_TERMS; term++) {
    const step = Math.floor(term / 2);
    const coefficient =
      term % 2 === 0
        ? (step * (b - step) * x) / ((a + 2 * step - 1) * (a + 2 * step))
        : (-(a + step) * (a + b + step) * x) / ((a + 2 * step) * (a + 2 * step + 1));
    denominators = 1 / (1 + coefficient * denominators);
    numerators = 1 + coefficient / numerators;
    const change = denominators * numerators;
    value *= change;
    if (Math.abs(change - 1) < PRECISION) break;
  }
  return 1 / value;
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** Above this, the next term of Stirling's series is below the precision of a number. */
const LARGE = 20;

/** The logarithm of the gamma function of a positive number, by Stirling's series (Abramowitz and Stegun 6.1.41). */
function logGamma(x: number): number {
  if (x < LARGE) return logGamma(x + 1) - Math.log(x);
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5) - 1 / (1680 * x ** 7);
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}
