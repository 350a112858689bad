import type { LinePermit, List, Permit } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { ActionKey } from '@linewarden/equipment'
import { permits } from '@linewarden/rules/account'
import type { ActorFacts, CommandAction, Condition, LineFacts } from '@linewarden/rules/control'
import { conditionsOf, isDoneAlready } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import type { Ingest } from '../../field/ingest.ts'
import { conditionRecord, factsOf } from '../../field/orders/facts.ts'
import { refusalOf } from '../../field/orders/interlocks.ts'
import type { AppliedInterlocks, PlantLine } from '../../plant/plant.ts'
import { storedInterlocks, storedInterlocksOfLines } from '../../store/control/applied-interlocks.ts'
import type { Database } from '../../store/core/database.ts'

/** Something that somebody would do to a line. */
export interface Operation {
  readonly line: PlantLine
  readonly action: ActionKey
  readonly actor: Actor
}

interface Deps {
  readonly database: Database
  readonly ingest: Pick<Ingest, 'reach'>
  readonly quietUntil: (line: PlantLine, now: number) => number | null
  readonly clock: () => number
}

/** What stands against an operation now: the gate asks before anything leaves, and people before they order. */
export class InterlockCheck {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  blockReasons({ line, action, actor }: Operation, interlocks?: AppliedInterlocks): readonly Condition[] {
    const { clock } = this.#deps
    return conditionsOf(action, this.#factsNow(line, clock(), interlocks), rightsOf(actor), clock()).filter((each) => !each.met)
  }

  /** How a line stands now, as last reported and committed. */
  factsOf(line: PlantLine): LineFacts {
    return this.#factsNow(line, this.#deps.clock())
  }

  /** Every reason at once. */
  refuseUnlessPermitted(operation: Operation): void {
    const blocks = this.blockReasons(operation)
    if (blocks.length > 0) throw refusalOf(operation.action, blocks)
  }

  /**
   * Each condition as it stands; tags and inspection locks as the database knows them, whichever server wrote them. The plant keeps its own:
   * what was read may be older than what somebody has hung meanwhile.
   */
  async permit(actor: Actor, line: PlantLine, action: CommandAction): Promise<Permit> {
    refuseUnlessOffered(line, action)
    const interlocks = await storedInterlocks(this.#deps.database.control, line.id)
    const now = this.#deps.clock()
    const facts = this.#factsNow(line, now, interlocks)
    const conditions = conditionsOf(action, facts, rightsOf(actor), now)
    return {
      MayClose: conditions.every((each) => each.met),
      Done: isDoneAlready(action, facts, now),
      NeedsGrant: actor.hasControlPassword,
      Conditions: conditions.map(conditionRecord),
      At: now,
    }
  }

  /** What stands against it on each of these lines, in their order. */
  async permitsOf(actor: Actor, lines: readonly PlantLine[], action: ActionKey): Promise<List<LinePermit>> {
    for (const line of lines) refuseUnlessOffered(line, action)
    const stored = await storedInterlocksOfLines(
      this.#deps.database.control,
      lines.map(({ id }) => id),
    )
    const now = this.#deps.clock()
    const items = lines.map((line) => ({
      ControllerID: line.device.controllerId,
      LineNo: line.lineNo,
      Unmet: this.blockReasons({ line, action, actor }, stored.get(line.id)).map(conditionRecord),
      At: now,
    }))
    return { items, total: items.length }
  }

  #factsNow(line: PlantLine, now: number, interlocks?: AppliedInterlocks): LineFacts {
    const { ingest, quietUntil } = this.#deps
    return factsOf(line, { reach: ingest.reach(line.device.gateway, line.device), quietUntil: quietUntil(line, now) }, interlocks)
  }
}

/** Not every family has every action. */
export function refuseUnlessOffered(line: PlantLine, action: CommandAction): void {
  if (!line.device.family.actions.some((each) => each.key === action)) throw new Refusal('action unknown')
}

const rightsOf = (actor: Actor): ActorFacts => ({ mayOperate: permits('lineSwitch', actor), shared: actor.shared })
