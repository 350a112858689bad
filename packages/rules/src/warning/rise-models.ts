/** One way in which values may have come about: level until a day, and from there a straight line. */
interface RiseModel {
  /** The day from which it rises. */
  readonly from: number
  readonly level: number
  readonly perDay: number
  /** Of its level and slope: variances and covariance. */
  readonly levelVariance: number
  readonly slopeVariance: number
  readonly covariance: number
  readonly degrees: number
  /** How likely it is beside the others; all together 1. */
  readonly share: number
}

/** All ways that are considered, each by as much as it explains. */
export type RiseModels = readonly RiseModel[]

/** How much of what a day lies off the line the next day still does. Which it is, the values say. */
const correlations = [0, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98]
/** A rise that began later than this many values before the last is not told from chance. */
const minRisingValues = 5

/**
 * Weighs every day on which a rise may have begun and every correlation of the days (Bayes, flat priors; AR(1) residuals over days that may
 * be missing; generalised least squares). Empty where nothing can be said.
 *
 * @param at days, rising
 */
export function riseModels(at: readonly number[], values: readonly number[]): RiseModels {
  const found = correlations.flatMap((correlation) => {
    const whitened = whiten(at, correlation)
    const y = whitened.of(values)
    const ones = whitened.of(at.map(() => 1))
    return at.slice(0, Math.max(0, at.length - minRisingValues + 1)).flatMap((from) => {
      const model = fitted(y, ones, whitened.of(at.map((day) => Math.max(0, day - from))), from)
      return model ? [{ ...model, logLikelihood: model.logLikelihood + whitened.logDeterminant }] : []
    })
  })
  const best = found.reduce((most, { logLikelihood }) => Math.max(most, logLikelihood), Number.NEGATIVE_INFINITY)
  const weights = found.map(({ logLikelihood }) => Math.exp(logLikelihood - best))
  const sum = weights.reduce((total, each) => total + each, 0)
  return found.map(({ logLikelihood: _, ...model }, i) => ({ ...model, share: (weights[i] ?? 0) / sum }))
}

/** How probable it is that the line stands above the limit on this day. */
export const probabilityAbove = (models: RiseModels, limit: number, day: number): number =>
  models.reduce((sum, { from, level, perDay, levelVariance, slopeVariance, covariance, degrees, share }) => {
    const rising = Math.max(0, day - from)
    const error = Math.sqrt(levelVariance + 2 * covariance * rising + slopeVariance * rising ** 2)
    return sum + share * studentBelow((level + perDay * rising - limit) / error, degrees)
  }, 0)

/** Takes from each value what it has of the one before, so that what is left is independent and equally sure. */
function whiten(at: readonly number[], correlation: number) {
  const carried = at.map((day, i) => (i === 0 ? 0 : correlation ** (day - (at[i - 1] ?? day))))
  const scale = carried.map((each) => 1 / Math.sqrt(1 - each * each))
  return {
    logDeterminant: scale.reduce((sum, each) => sum + Math.log(each), 0),
    of: (values: readonly number[]): readonly number[] =>
      values.map((value, i) => (scale[i] ?? 1) * (value - (carried[i] ?? 0) * (values[i - 1] ?? 0))),
  }
}

/** What is left unexplained of values that lie on a line exactly; less would be certainty. */
const minResidual = 1e-9

function fitted(y: readonly number[], ones: readonly number[], rising: readonly number[], from: number) {
  const [aa, ab, bb] = [dot(ones, ones), dot(ones, rising), dot(rising, rising)]
  const determinant = aa * bb - ab * ab
  const degrees = y.length - 2
  if (!(determinant > 0) || degrees < 1) return null
  const [ay, by] = [dot(ones, y), dot(rising, y)]
  const level = (bb * ay - ab * by) / determinant
  const perDay = (aa * by - ab * ay) / determinant
  const unexplained = y.reduce((sum, each, i) => sum + (each - level * (ones[i] ?? 0) - perDay * (rising[i] ?? 0)) ** 2, 0)
  const residual = Math.max(unexplained, minResidual * dot(y, y), Number.MIN_VALUE)
  const variance = residual / degrees / determinant
  return {
    from,
    level,
    perDay,
    levelVariance: variance * bb,
    slopeVariance: variance * aa,
    covariance: -variance * ab,
    degrees,
    logLikelihood: -0.5 * Math.log(determinant) - (degrees / 2) * Math.log(residual),
  }
}

const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, each, i) => sum + each * (other[i] ?? 0), 0)

/** The share of a t distribution below `t` (Abramowitz and Stegun, 26.7.8 and 7.1.26): within 0.005 from eight degrees of freedom on. */
function studentBelow(t: number, degrees: number): number {
  const z = (t * (1 - 1 / (4 * degrees))) / Math.sqrt(1 + (t * t) / (2 * degrees))
  const x = Math.abs(z) / Math.SQRT2
  const k = 1 / (1 + 0.3275911 * x)
  const tail = k * (0.254829592 + k * (-0.284496736 + k * (1.421413741 + k * (-1.453152027 + k * 1.061405429))))
  const half = (tail * Math.exp(-x * x)) / 2
  return z > 0 ? 1 - half : half
}
