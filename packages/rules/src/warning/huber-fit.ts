import { correlationInflation, madToDeviation, medianInPlace } from './statistics.ts'

/** Residuals beyond this many standard deviations count less, the further the less (Huber). */
const fullWeightDeviations = 1.5
const reweighings = 3
/** Terminals report in steps of 0.1 K: what lies closer together than this says nothing about noise. */
const minDeviation = 0.05

/** `y = c + e·x + k·z` by weighted least squares; `k` is drawn towards what is known of it beforehand. */
export interface HuberFit {
  readonly c: number
  readonly e: number
  readonly k: number
  /** The standard error of `e`, longer where residuals follow each other. */
  readonly eError: number
}

export interface FitRows {
  readonly x: Float64Array
  readonly z: Float64Array
  readonly y: Float64Array
}

/** What a fit works with, used again by the next one: a night makes hundreds of thousands of them. */
let room = { weights: new Float64Array(0), residuals: new Float64Array(0), sizes: new Float64Array(0) }

/** Fits a line that single hours, however far off, hardly move. The ridge weighs as that many squared units of `z`. */
export function huberFit(rows: FitRows, prior: { readonly k: number; readonly ridge: number }): HuberFit | null {
  const n = rows.y.length
  if (room.weights.length < n) room = { weights: new Float64Array(n), residuals: new Float64Array(n), sizes: new Float64Array(n) }
  const weights = room.weights.subarray(0, n).fill(1)
  const residuals = room.residuals.subarray(0, n)
  let solved = solve(sums(rows, weights, prior))
  for (let round = 1; solved && round <= reweighings; round++) {
    const full = fullWeightDeviations * deviationFrom(rows, solved, residuals)
    for (let i = 0; i < n; i++) weights[i] = full / Math.max(full, Math.abs(residuals[i] ?? 0))
    solved = solve(sums(rows, weights, prior))
  }
  if (!solved) return null
  const deviation = deviationFrom(rows, solved, residuals)
  const { c, e, k, eVariance } = solved
  return { c, e, k, eError: deviation * Math.sqrt(eVariance) * correlationInflation(residuals) }
}

/** Writes what the rows lie off their line, and answers the robust standard deviation of it. */
function deviationFrom({ x, z, y }: FitRows, { c, e, k }: Solved, residuals: Float64Array): number {
  const sizes = room.sizes.subarray(0, y.length)
  for (let i = 0; i < y.length; i++) {
    const residual = (y[i] ?? 0) - c - e * (x[i] ?? 0) - k * (z[i] ?? 0)
    residuals[i] = residual
    sizes[i] = Math.abs(residual)
  }
  return Math.max(minDeviation, madToDeviation * medianInPlace(sizes))
}

/** The symmetric normal matrix of c, e, k with its right side. */
interface Sums {
  readonly n: number
  readonly x: number
  readonly z: number
  readonly xx: number
  readonly xz: number
  readonly zz: number
  readonly y: number
  readonly xy: number
  readonly zy: number
}

function sums(
  { x: xs, z: zs, y: ys }: FitRows,
  weights: Float64Array,
  { k, ridge }: { readonly k: number; readonly ridge: number },
): Sums {
  let n = 0
  let x = 0
  let z = 0
  let xx = 0
  let xz = 0
  let zz = ridge
  let y = 0
  let xy = 0
  let zy = ridge * k
  for (let i = 0; i < ys.length; i++) {
    const w = weights[i] ?? 0
    const xi = xs[i] ?? 0
    const zi = zs[i] ?? 0
    const yi = ys[i] ?? 0
    n += w
    x += w * xi
    z += w * zi
    xx += w * xi * xi
    xz += w * xi * zi
    zz += w * zi * zi
    y += w * yi
    xy += w * xi * yi
    zy += w * zi * yi
  }
  return { n, x, z, xx, xz, zz, y, xy, zy }
}

interface Solved {
  readonly c: number
  readonly e: number
  readonly k: number
  /** Of `e`, for residuals of deviation one. */
  readonly eVariance: number
}

/** Cramer's rule; null where the current never changed, and so says nothing. */
function solve({ n, x, z, xx, xz, zz, y, xy, zy }: Sums): Solved | null {
  const [nn, nx, nz] = [xx * zz - xz * xz, xz * z - x * zz, x * xz - xx * z]
  const determinant = n * nn + x * nx + z * nz
  if (!(Math.abs(determinant) > 1e-9 * n * Math.max(xx, 1e-9) * Math.max(zz, 1e-9))) return null
  const [ee, ez, kk] = [n * zz - z * z, x * z - n * xz, n * xx - x * x]
  return {
    c: (nn * y + nx * xy + nz * zy) / determinant,
    e: (nx * y + ee * xy + ez * zy) / determinant,
    k: (nz * y + ez * xy + kk * zy) / determinant,
    eVariance: ee / determinant,
  }
}
