import type { Comparison, ConditionKind, Truth } from '@linewarden/rules/automation'
import type { StoredAction } from '../../store/automation/linkage.ts'
import type { LinkageMode } from '../../store/automation/linkage-schema.ts'

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
