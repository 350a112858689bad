import type { AlarmKind, Priority, Text } from '@linewarden/equipment'
import { families } from '@linewarden/equipment'
import { outageKey, platformAwayKey, supplyOffKey } from '@linewarden/rules/alarm'
import { ruleCatalogue } from '@linewarden/rules/warning'
import { orderFloodKey } from '@linewarden/rules/workorder'

/** An alarm that may be raised, by what its events carry. */
export interface CataloguedAlarm {
  readonly key: string
  readonly label: Text
  readonly kind: AlarmKind
  readonly priority: Priority
  /** Families that raise it; none: the server does, from links, settings or rules. */
  readonly families: readonly Text[]
}

const byServer = (key: string, kind: AlarmKind, priority: Priority, zh: string, en: string): CataloguedAlarm => ({
  ...{ key, kind, priority, label: { zh, en }, families: [] },
})

/** What no family has: equipment or the platform is silent, or a setting did not come back. */
const serverAlarms: readonly CataloguedAlarm[] = [
  byServer('gateway.offline', 'fault', 'high', '网关离线', 'Gateway offline'),
  byServer('gateway.stale', 'fault', 'medium', '网关数据中断', 'Gateway not reporting'),
  byServer('device.offline', 'fault', 'high', '设备离线', 'Device offline'),
  byServer('device.stale', 'fault', 'medium', '设备数据中断', 'Device not reporting'),
  byServer(platformAwayKey, 'fault', 'high', '平台中断后未恢复上报', 'Silent since the platform was interrupted'),
  byServer(outageKey, 'fault', 'high', '多台网关同时离线', 'Several gateways offline at once'),
  byServer(supplyOffKey, 'fault', 'high', '上级断开，下级失电', 'Upstream open, no supply below'),
  byServer(
    'automation.orphaned',
    'fault',
    'medium',
    '定时、场景或联动无有效负责人',
    'Timers, scenes or linkages without a responsible person',
  ),
  byServer('automation.late', 'fault', 'high', '定时未按时处理', 'Timers not processed in time'),
  byServer(orderFloodKey, 'fault', 'high', '自动派单超限', 'More orders by rules than an hour may have'),
  byServer('statement.differs', 'fault', 'high', '电费结算单验证不一致', 'Statement is not as it was issued'),
  byServer('energy.budget', 'warning', 'low', '用电预算达到提醒值', 'Energy budget has reached a threshold'),
  byServer('screen.silent', 'fault', 'medium', '大屏无响应', 'Screen not responding'),
  byServer('setting.notRestored', 'alarm', 'high', '临时设置到期未恢复', 'Temporary setting not restored'),
]

let catalogue: ReadonlyMap<string, CataloguedAlarm> | null = null

/** Every alarm that equipment, the server or a rule can raise, once. */
export function alarmCatalogue(): ReadonlyMap<string, CataloguedAlarm> {
  if (catalogue) return catalogue
  const known = new Map<string, CataloguedAlarm>()
  for (const { alarms, label: name } of families)
    for (const { key, label, kind, priority } of alarms) {
      const before = known.get(key)
      known.set(
        key,
        before ? { ...before, families: [...before.families, name] } : { key, label, kind, priority, families: [name] },
      )
    }
  for (const each of serverAlarms) known.set(each.key, each)
  for (const { key, label, priority } of ruleCatalogue)
    if (!known.has(key)) known.set(key, { key, label, priority, kind: 'warning', families: [] })
  catalogue = known
  return known
}
