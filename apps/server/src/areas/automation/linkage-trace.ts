import type { Comparison, ConditionKind, Truth } from '@linewarden/rules/automation'
import type { StoredAction, StoredLinkage } from '../../store/automation/linkage.ts'
import type { LinkageMode } from '../../store/automation/linkage-schema.ts'
import type { LinkageView } from './linkage-view.ts'

/** What a firing, or one that did not come about, was decided by. */
export interface LinkageTrace {
  /** When the conditions came to be true, Unix ms. */
  readonly at: number
  readonly mode: LinkageMode
  readonly match: 'all' | 'any'
  readonly version: number
  readonly conditions: readonly {
    readonly kind: ConditionKind
    readonly lineId: number
    readonly key: string
    readonly op: Comparison
    readonly limit: number
    readonly value: number | null
    readonly ageMs: number | null
    readonly truth: Truth
    readonly since: number | null
  }[]
  /** In shadow mode, and where it did not act: what it would have done. */
  readonly wouldHave: readonly Pick<StoredAction, 'kind' | 'lineId' | 'sceneId'>[]
  /** With whose authority it trips although its owner is gone. */
  readonly onBehalf?: string
}

/** As much of it as somebody sees who sees these lines; `whole`: it is all of it. */
export function traceSeen(
  trace: Readonly<Record<string, unknown>>,
  sees: (lineId: number) => boolean,
): { readonly trace: Record<string, unknown>; readonly whole: boolean } {
  const { conditions, wouldHave } = trace as Partial<LinkageTrace>
  if (!conditions && !wouldHave) return { trace: { ...trace }, whole: true }
  const seen = {
    conditions: (conditions ?? []).filter(({ lineId }) => sees(lineId)),
    wouldHave: (wouldHave ?? []).filter(({ lineId }) => lineId === null || sees(lineId)),
  }
  const whole = seen.conditions.length === (conditions?.length ?? 0) && seen.wouldHave.length === (wouldHave?.length ?? 0)
  return { trace: { ...trace, ...seen }, whole }
}

export const traceOf = (linkage: StoredLinkage, view: LinkageView, at: number, acts: boolean): LinkageTrace => ({
  ...{ at, mode: linkage.mode, match: linkage.match, version: linkage.version },
  conditions: linkage.conditions.map(({ kind, lineId, key, op, value }, index) => {
    const now = view.conditions[index]
    return {
      ...{ kind, lineId, key, op, limit: value, value: now?.value ?? null },
      ageMs: now?.at == null ? null : Math.max(0, at - now.at),
      ...{ truth: now?.truth ?? 'unknown', since: now?.since ?? null },
    }
  }),
  wouldHave: acts ? [] : linkage.actions.map(({ kind, lineId, sceneId }) => ({ kind, lineId, sceneId })),
})
