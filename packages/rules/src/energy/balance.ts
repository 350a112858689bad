/** A meter in a balance. */
export interface BalanceMeter {
  /** Null: not known for the whole of the stretch. */
  readonly wh: number | null
  /** Accuracy class, per cent. */
  readonly accuracyPercent: number
  /** How finely its register counts, Wh; null: not known, and taken as fine. */
  readonly stepWh: number | null
  /** Stretches that its energy is the sum of: each begins and ends at a reading of the register. */
  readonly stretches: number
}

/** 误差内, 未计量与损耗, 分表大于总表, and not known. */
export type BalanceVerdict = 'withinError' | 'unmetered' | 'partsAboveWhole' | 'unknown'

export interface Balance {
  /** Parent less children; null: one of them is not known. */
  readonly restWh: number | null
  /** What the accuracy classes and the steps of all registers together can explain, Wh, twice the standard uncertainty. */
  readonly errorWh: number | null
  readonly verdict: BalanceVerdict
}

/**
 * What a meter measured and its sub-meters did not. The error is U = 2 sqrt(sum ((a E)^2 / 3 + n s^2 / 6)): each meter's class a is a rectangular
 * distribution, what a register of step s shows is anywhere up to s below the truth at both ends of each of n stretches, all independent, k = 2 (JCGM 100,
 * GUM 4.3.7, 5.1.2 and F.2.2.1). Within U nothing can be said of the rest.
 */
export function balanceOf(parent: BalanceMeter, children: readonly BalanceMeter[]): Balance {
  const meters = [parent, ...children]
  let [square, sum] = [0, 0]
  for (const { wh, accuracyPercent, stepWh, stretches } of meters) {
    if (wh === null) return { restWh: null, errorWh: null, verdict: 'unknown' }
    square += ((accuracyPercent / 100) * wh) ** 2 + (stretches * (stepWh ?? 0) ** 2) / 2
    sum += wh
  }
  const parentWh = parent.wh ?? 0
  const restWh = parentWh - (sum - parentWh)
  const errorWh = 2 * Math.sqrt(square / 3)
  return { restWh, errorWh, verdict: verdictOf(restWh, errorWh) }
}

const verdictOf = (restWh: number, errorWh: number): BalanceVerdict => {
  if (Math.abs(restWh) <= errorWh) return 'withinError'
  return restWh > 0 ? 'unmetered' : 'partsAboveWhole'
}

/** By what a child's energy is wrong when its multiplier is entered wrong, or one phase of three is measured. */
export const likelyFactors = [2, 10, 1 / 3] as const

export interface LikelyCause {
  /** Index of the child. */
  readonly child: number
  /** It shows so many times what it should; null: it is fed by another line. */
  readonly factor: (typeof likelyFactors)[number] | null
  /** What would be left if it were so, Wh: within the error. */
  readonly restWh: number
}

/**
 * What of a single child would bring the rest within the error: a wrong factor or, where the children are above their parent, that another line feeds
 * it. None where the rest is within it already, or where something is not known.
 */
export function likelyCausesOf(parent: BalanceMeter, children: readonly BalanceMeter[]): readonly LikelyCause[] {
  const { verdict } = balanceOf(parent, children)
  if (verdict !== 'unmetered' && verdict !== 'partsAboveWhole') return []
  const factors = verdict === 'partsAboveWhole' ? [...likelyFactors, null] : likelyFactors
  return children.flatMap(({ wh }, child) =>
    factors.flatMap((factor): LikelyCause[] => {
      if (wh === null || wh === 0) return []
      const corrected = children.flatMap((each, index) => {
        if (index !== child) return [each]
        return factor === null ? [] : [{ ...each, wh: wh / factor, stepWh: each.stepWh === null ? null : each.stepWh / factor }]
      })
      const balance = balanceOf(parent, corrected)
      return balance.verdict === 'withinError' ? [{ child, factor, restWh: balance.restWh ?? 0 }] : []
    }),
  )
}

/** How many causes are tried of so many children. */
export const causesTried = (verdict: BalanceVerdict, children: number): number =>
  ({ withinError: 0, unknown: 0, unmetered: likelyFactors.length, partsAboveWhole: likelyFactors.length + 1 })[verdict] * children
