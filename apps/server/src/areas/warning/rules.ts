import type {
  List,
  listWarningRuleChanges,
  Request,
  restoreWarningRule,
  updateWarningRule,
  WarningRule,
  WarningRuleChange,
} from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import type { RuleInForce, RuleValues, WarningDetector } from '@linewarden/rules/warning'
import { ruleCatalogue, ruleInForce } from '@linewarden/rules/warning'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { changeRule, changesOfRule, keptRulesAt } from '../../store/warning/rule.ts'
import type { WarningDeps } from './deps.ts'
import { ruleValuesOf } from './rule-form.ts'
import type { Place } from './rule-list.ts'
import { aboveOf, createRuleList, detectorOf, placeOf } from './rule-list.ts'
import { changeRecord } from './rule-record.ts'

/** Rules of early warning: as they are in force for a project or as a default, and who changes them. */
export function createRules(deps: WarningDeps, readRules: () => Promise<void>) {
  const { database, plant, clock } = deps
  const { records, inForceAt, linesOf } = createRuleList(deps)
  return {
    async listRules(actor: Actor, project: PlantProject | null): Promise<List<WarningRule>> {
      const place = placeOf(actor, project)
      const kept = await withRowSecurity(database, actor.scope, (db) => keptRulesAt(db, place))
      const items = await records(actor, place, kept, ruleCatalogue)
      return { items, total: items.length }
    },

    /** Sets a rule at its place; what it was and has become stands in the log and in its history. */
    async updateRule(
      actor: Actor,
      project: PlantProject | null,
      body: Request<typeof updateWarningRule>['body'],
    ): Promise<WarningRule> {
      const detector = detectorOf(body.Key)
      const place = placeToChange(actor, project)
      const before = ruleInForce(detector, place, await inForceAt(place))
      const known = new Set([...before.except, ...(before.targets.kind === 'lines' ? before.targets.lineIds : [])])
      const lines = new Set(linesOf(place).map(({ id }) => id))
      const after = ruleValuesOf(detector, body, (lineId) => lines.has(lineId) || known.has(lineId))
      return change(actor, detector, place, { version: body.Version, before, after, reason: body.Reason, restored: false })
    },

    /** Gives a rule up for the level above. */
    async restoreRule(
      actor: Actor,
      project: PlantProject | null,
      body: Request<typeof restoreWarningRule>['body'],
    ): Promise<WarningRule> {
      const detector = detectorOf(body.Key)
      const place = placeToChange(actor, project)
      const stored = await inForceAt(place)
      const before = ruleInForce(detector, place, stored)
      const after = aboveOf(detector, place, stored)
      return change(actor, detector, place, { version: body.Version, before, after, reason: body.Reason, restored: true })
    },

    async ruleChanges(
      actor: Actor,
      project: PlantProject | null,
      { Key, Page = 1, Size = 10 }: Request<typeof listWarningRuleChanges>['query'],
    ): Promise<List<WarningRuleChange>> {
      const { key } = detectorOf(Key)
      const place = { ...ownPlaceOf(placeOf(actor, project)), key }
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) =>
        changesOfRule(db, place, { page: Page, size: Size }),
      )
      return { items: rows.map(changeRecord), total }
    },
  }

  async function change(
    actor: Actor,
    detector: WarningDetector,
    place: Place,
    change: {
      readonly version: number
      readonly before: RuleInForce
      readonly after: RuleValues
      readonly reason: string | undefined
      readonly restored: boolean
    },
  ): Promise<WarningRule> {
    const { key } = detector
    const audit = {
      ...by(actor, clock(), change.restored ? 'warningRule.restore' : 'warningRule.edit', place.ownerId),
      subject: aboutNothing,
      target: nameOf(detector, place),
    }
    const done = await changeRule(
      database,
      {
        ...{ ...ownPlaceOf(place), key, version: change.version, restored: change.restored },
        ...{ before: valuesOf(change.before), after: valuesOf(change.after), reason: change.reason?.trim() ?? '' },
      },
      audit,
    )
    if (done === 'changed') throw new Refusal('changed meanwhile')
    await readRules()
    const [record] = await records(actor, place, await keptRulesAt(database, place), [detector])
    if (!record) throw new Error(`no record of ${key}`)
    return record
  }

  function nameOf({ label }: WarningDetector, { projectId }: Place): string {
    const project = projectId === null ? undefined : plant.projects.get(projectId)
    return project ? `${project.name} · ${label.zh}` : label.zh
  }
}

function placeToChange(actor: Actor, project: PlantProject | null): Place {
  if (!project && !actor.administrator) throw new Refusal('default rule by administrators')
  return placeOf(actor, project)
}

/** As it is stored: the rule of a project goes with the project, whoever owns it. */
const ownPlaceOf = (place: Place): Place => (place.projectId === null ? place : { projectId: place.projectId, ownerId: null })

const valuesOf = ({ enabled, params, priority, targets, except }: RuleValues): RuleValues => ({
  ...{ enabled, params, priority, targets, except },
})
