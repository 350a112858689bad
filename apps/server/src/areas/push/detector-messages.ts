import { canBePushed, dayMs, familyOfModel, metricOfPushed, wire } from '@linewarden/equipment'
import { mistakenUnit } from '@linewarden/rules/monitor'
import type { NamedValue } from '../../field/intake/birth.ts'
import type { JsonMessage } from '../../field/intake/json.ts'
import { storableText } from '../../lib/storable-text.ts'
import type { PlantGateway } from '../../plant/plant.ts'
import type { StoredPush } from '../../store/push/push.ts'
import { rememberedDays } from '../../store/push/push.ts'
import { Aside } from './aside.ts'
import type { PushedReport } from './forms/report.ts'

/** What the detector would have said as a gateway of its own: who it is, where that is news, and its values. `now` in Unix ms. Throws Aside. */
export function messagesOf(push: StoredPush, report: PushedReport, gateway: PlantGateway, now: number): JsonMessage[] {
  const [known] = gateway.devices.values()
  const model = report.productId === null ? known?.model : push.products[report.productId]
  const family = model === undefined ? null : familyOfModel(model)
  if (model === undefined || !family || !canBePushed(family))
    throw new Aside('unknown_product', `product ${report.productId ?? '(none)'} has no model in this subscription`)
  const oldest = now - rememberedDays * dayMs
  const dated = report.values.flatMap((each) => (each.at === null ? [] : [{ ...each, at: each.at }]))
  if (dated.length < report.values.length) throw new Aside('time', 'it does not say when the values were measured')
  const unit = dated.map(({ at }) => mistakenUnit(at, now, rememberedDays * dayMs)).find((each) => each !== null)
  if (unit) throw new Aside('time_unit', `the time of its values is in ${unit}; it must be in milliseconds`)
  if (dated.some(({ at }) => at < oldest))
    throw new Aside('time', `reported more than ${rememberedDays} days ago: it may be a replay`)
  const wireId = known?.wireId ?? gateway.number
  const values: NamedValue[] = dated.map(({ name, value, at }) => ({
    name: metricOfPushed(family, name) ?? storableText(name.slice(0, 64)),
    alias: null,
    value: typeof value === 'string' ? storableText(value) : value,
    at,
    historical: false,
  }))
  const data: JsonMessage = { kind: 'data', wireId, values }
  const isKnown = known?.model === model && gateway.reportingPeriodMs === push.reporting_period_ms
  if (isKnown) return [data]
  const fact = (name: string, value: string | number): NamedValue => ({ name, alias: null, value, at: now, historical: false })
  const birth: JsonMessage = {
    kind: 'birth',
    values: [fact(wire.info.reportingPeriod, push.reporting_period_ms / 1_000)],
    devices: [{ wireId, values: [fact(wire.info.model, model), ...(known ? [] : [fact(wire.info.name, gateway.name)])] }],
  }
  return [birth, data]
}
