import type { Params, RuleInForce as Resolved, WarningDetector } from '@linewarden/rules/warning'
import { appliesTo, ruleDetector, ruleInForce } from '@linewarden/rules/warning'
import type { PlantProject } from '../../plant/plant.ts'
import type { KeptRule } from '../../store/warning/rule.ts'

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
  readonly ruleId: number | null
  readonly version: number
  /** Whether it is evaluated here: switched on, and the place is one of its targets. */
  readonly enabled: boolean
  readonly priority: Resolved['priority']
  readonly params: Params<Of>
}

/**
 * The rules by which detectors evaluate: those of the project, else of its owner, else built in. It answers from memory, because live
 * detectors ask it for every line.
 */
export class RulesInForce {
  #stored: readonly KeptRule[] = []
  #written = '[]'
  #revision = 0
  readonly #resolved = new Map<string, Resolved>()

  /** Grows whenever a rule may have changed: whoever kept an answer asks again. */
  get revision(): number {
    return this.#revision
  }

  /** Every rule that somebody set, as the database has them now. */
  accept(stored: readonly KeptRule[]): void {
    const written = JSON.stringify(stored.map(({ ruleId, version }) => [ruleId, version]))
    if (written === this.#written) return
    this.#written = written
    this.#stored = stored.filter(({ inForce }) => inForce)
    this.#resolved.clear()
    this.#revision += 1
  }

  of<Of extends WarningDetector>(declaration: Of, { project, family, lineId }: RulePlace): RuleInForce<Of> {
    const rule = this.ofProject(declaration, project)
    return {
      ruleId: rule.ruleId,
      version: rule.version,
      enabled: rule.enabled && appliesTo(rule, { lineId, family }),
      priority: rule.priority,
      params: rule.params as Params<Of>,
    }
  }

  /** The same with its targets. */
  ofProject({ key }: WarningDetector, { id, ownerId }: Pick<PlantProject, 'id' | 'ownerId'>): Resolved {
    const place = `${key} ${id} ${ownerId}`
    const known = this.#resolved.get(place)
    if (known) return known
    const detector = ruleDetector(key)
    if (!detector) throw new Error(`no rule for ${key}`)
    const made = ruleInForce(detector, { projectId: id, ownerId }, this.#stored)
    this.#resolved.set(place, made)
    return made
  }
}
