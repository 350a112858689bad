import type { PlantGateway } from '../live/plant.ts'
import type { EventDraft } from './batch.ts'

const labels = {
  offline: { label: { zh: '网关离线', en: 'Gateway offline' }, priority: 'high' },
  stale: { label: { zh: '网关数据中断', en: 'Gateway silent' }, priority: 'medium' },
} as const

/** The event of a gateway that went away or came back. */
export const linkEvent = (gateway: PlantGateway, kind: 'offline' | 'stale', act: 'raise' | 'return', at: number): EventDraft => ({
  act,
  kind: 'fault',
  key: `gateway.${kind}`,
  ...labels[kind],
  point: null,
  value: null,
  limit: null,
  unit: '',
  gateway,
  line: null,
  at,
  historical: false,
})
