import type { OrderRule, previewOrderRule, queryOrderRules, Reply, Request, updateOrderRule } from '@linewarden/contract'
import { aboutNothing, Refusal, textOf } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import type { Rota } from '@linewarden/rules/workorder'
import { maxRulesOfProject, orderProblems, orderRuleProblems, previewOrders, rulePreviewDays } from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { CountedRule } from '../../store/workorder/order-rule.ts'
import { pastAlarms, rulesOfProject, saveRule } from '../../store/workorder/order-rule.ts'
import { alarmCatalogue } from '../alarm/alarm-catalogue.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { OrderAccess } from './order-access.ts'

type Written = NonNullable<Request<typeof updateOrderRule>['body']['Rule']>

const maxPast = 50_000

/** Rules of a project by which orders are made of alarms: who writes them, and what they would have done. */
export function createOrderRules(deps: WorkOrderDeps, access: OrderAccess) {
  const { database, plant, clock, actorNow } = deps
  return {
    async rules(actor: Actor, project: PlantProject): Promise<Reply<typeof queryOrderRules>> {
      if (actor.shared) throw new Refusal('access denied')
      const items = await records(project)
      const alarms = [...alarmCatalogue().values()].map(({ key, label }) => ({ Key: key, Label: label }))
      return { items, total: items.length, about: { Alarms: alarms, MayChange: actor.administrator } }
    },

    async updateRule(
      actor: Actor,
      project: PlantProject,
      { RuleID, Version, Rule }: Request<typeof updateOrderRule>['body'],
    ): Promise<Reply<typeof updateOrderRule>> {
      if (!actor.administrator) throw new Refusal('order rule administrator only')
      const now = clock()
      const rota = Rule?.Rota ? rotaOf(Rule.Rota) : null
      if (Rule) {
        refuseWrongRule(Rule, rota)
        const fit = await access.fitPeople([...(Rule.PersonID === null ? [] : [Rule.PersonID]), ...(rota?.people ?? [])])
        // Of the project as a whole: an alarm may come at any of its places.
        for (const id of [Rule.PersonID, ...(rota?.people ?? [])])
          if (id !== null) fit(id, { project_id: project.id, gateway_id: null })
      }
      const written = Rule && {
        ...{ name: Rule.Name.trim(), enabled: Rule.Enabled, enabled_at: Rule.Enabled ? new Date(now) : null },
        ...{ keys: [...Rule.Keys], priorities: [...Rule.Priorities], after_min: Rule.AfterMin, type: Rule.Type },
        ...{ priority: Rule.Priority, person_id: Rule.PersonID, rota: rota && JSON.stringify(rota) },
        ...{ valid_days: Rule.ValidDays, reminder_days: Rule.ReminderDays, working_days_only: Rule.WorkingDaysOnly },
        ...{ owner_id: actor.accountId, owner_name: access.nameOf(actor), changed_at: new Date(now) },
      }
      const asked = { projectId: project.id, ruleId: RuleID ?? null, version: Version, most: maxRulesOfProject, written }
      const done = await saveRule(database, asked, (before) => ({
        ...by(actor, now, written === null ? 'orderRule.remove' : before ? 'orderRule.edit' : 'orderRule.add', project.ownerId),
        ...{ subject: aboutNothing, target: `${project.name} · ${written?.name ?? before?.name ?? ''}` },
        before: before && auditedOf(before),
        after: written && auditedOf(written),
      }))
      if (done === 'gone') throw new Refusal('order rule not exists')
      if (done === 'changed') throw new Refusal('changed meanwhile')
      if (done === 'many')
        throw new Refusal('too many', { what: { zh: '自动派单规则', en: 'order rules' }, most: maxRulesOfProject })
      const items = await records(project)
      return { items, total: items.length }
    },

    async previewRule(
      actor: Actor,
      project: PlantProject,
      { Keys, Priorities, AfterMin, ValidDays }: Request<typeof previewOrderRule>['body'],
    ): Promise<Reply<typeof previewOrderRule>> {
      if (actor.shared) throw new Refusal('access denied')
      const since = clock() - rulePreviewDays * dayMs
      const past = await withRowSecurity(database, actor.scope, ({ general }) =>
        pastAlarms(general, project.id, { since, limit: maxPast }),
      )
      const is = previewOrders({ keys: Keys, priorities: Priorities, afterMin: AfterMin }, Math.max(1, ValidDays), past)
      const labels = new Map(past.map(({ place, key, label }) => [`${place} ${key}`, label]))
      return {
        ...{ Alarms: is.alarms, Orders: is.orders, Joined: is.joined, Summarised: is.summarised, Summaries: is.summaries },
        Worst: is.worst.map(({ place, times }) => ({
          ...{ Label: labels.get(place) ?? { zh: '', en: '' }, Where: whereOf(place), Times: times },
        })),
        IsWhole: past.length < maxPast,
      }
    },
  }

  /** As the store names a place: gateway, device and line. */
  function whereOf(place: string): string {
    const [gatewayId = 0, deviceId = 0, lineId = 0] = place.split(' ').map(Number)
    const line = plant.lines.get(lineId)
    const names = [plant.gateways.get(gatewayId)?.name, line?.name ?? plant.devices.get(deviceId)?.name]
    return names.filter((name) => name !== undefined && name !== '').join(' › ')
  }

  async function records(project: PlantProject): Promise<OrderRule[]> {
    const since = clock() - rulePreviewDays * dayMs
    const rows = await rulesOfProject(database.general, project.id, since)
    const ids = new Set(
      rows.flatMap(({ person_id, rota }) => [...(person_id === null ? [] : [person_id]), ...(rota?.people ?? [])]),
    )
    const names = new Map<string, string>()
    for (const id of ids) {
      const person = await actorNow(id)
      if (person) names.set(id, access.nameOf(person))
    }
    return rows.map((row) => ruleRecord(row, names))
  }
}

const auditedOf = (row: {
  readonly name: string
  readonly enabled: boolean
  readonly keys: readonly string[]
  readonly priorities: readonly string[]
  readonly after_min: number
}) => ({ name: row.name, enabled: row.enabled, keys: row.keys, priorities: row.priorities, afterMin: row.after_min })

function ruleRecord(row: CountedRule, names: ReadonlyMap<string, string>): OrderRule {
  const { rota } = row
  const named = [...new Set([...(row.person_id === null ? [] : [row.person_id]), ...(rota?.people ?? [])])]
  return {
    ...{ RuleID: row.rule_id, HouseID: row.project_id, Name: row.name, Enabled: row.enabled, Keys: row.keys },
    ...{ Priorities: row.priorities, AfterMin: row.after_min, Type: row.type, Priority: row.priority, PersonID: row.person_id },
    Rota: rota && { People: [...rota.people], EveryDays: rota.everyDays, FromDay: dateText(rota.fromDay) },
    ...{ ValidDays: row.valid_days, ReminderDays: row.reminder_days, WorkingDaysOnly: row.working_days_only },
    People: named.flatMap((id) => {
      const name = names.get(id)
      return name === undefined ? [] : { AccountID: id, Name: name }
    }),
    ...{ Owner: row.owner_name, EnabledAt: row.enabled_at?.getTime() ?? null, Made: row.made, Version: row.version },
  }
}

function rotaOf({ People, EveryDays, FromDay }: NonNullable<Written['Rota']>): Rota {
  const fromDay = Math.round(Date.parse(`${FromDay}T00:00:00Z`) / dayMs)
  if (Number.isNaN(fromDay) || dateText(fromDay) !== FromDay) throw new Refusal('order rule day wrong')
  return { people: People, everyDays: EveryDays, fromDay }
}

/** All of it at once: of the rule itself, and of the orders that it makes. */
function refuseWrongRule(rule: Written, rota: Rota | null): void {
  const order = { description: '-', personInCharge: '-', validDays: rule.ValidDays, reminderDays: rule.ReminderDays }
  const problems = [
    ...orderRuleProblems({ name: rule.Name, keys: rule.Keys, priorities: rule.Priorities, personId: rule.PersonID, rota }),
    ...orderProblems(order),
  ]
  if (problems.length === 0) return
  throw new Refusal(
    'order wrong',
    { count: problems.length },
    problems.map(({ key, field, ...detail }) => ({ Path: `body.Rule.${field}`, Text: textOf(key, detail) })),
  )
}
