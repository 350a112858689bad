import type { Text } from '@linewarden/equipment'
import { families } from '@linewarden/equipment'
import { localised } from '../../../ui/i18n.ts'
import type { Choice } from '../../../ui/pick-list.tsx'

/** Alarms that no family has: the server raises them when something is silent. */
const linkAlarms: readonly (readonly [key: string, label: Text])[] = [
  ['gateway.offline', { zh: '网关离线', en: 'Gateway offline' }],
  ['gateway.stale', { zh: '网关数据中断', en: 'Gateway not reporting' }],
  ['device.offline', { zh: '设备离线', en: 'Device offline' }],
  ['device.stale', { zh: '设备数据中断', en: 'Device not reporting' }],
  ['automation.orphaned', { zh: '定时、场景或联动无有效负责人', en: 'Timers, scenes or linkages without a responsible person' }],
  ['automation.late', { zh: '定时未按时处理', en: 'Timers not processed in time' }],
  ['statement.differs', { zh: '电费结算单验证不一致', en: 'Statement is not as it was issued' }],
  ['energy.budget', { zh: '用电预算达到提醒值', en: 'Energy budget has reached a threshold' }],
  ['screen.silent', { zh: '大屏无响应', en: 'Screen not responding' }],
  ['platform.away', { zh: '平台中断后未恢复上报', en: 'Silent since the platform was interrupted' }],
]

/** Every alarm there is, once, by what it is called. */
export function alarmChoices(): readonly Choice[] {
  const known = new Map(linkAlarms)
  for (const { alarms } of families) for (const { key, label } of alarms) if (!known.has(key)) known.set(key, label)
  const choices = [...known].map(([value, label]) => ({ value, label: localised(label), note: value }))
  return choices.sort((a, b) => a.label.localeCompare(b.label))
}
