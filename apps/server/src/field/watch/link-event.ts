import type { Priority, Text } from '@linewarden/equipment'
import type { PlantDevice, PlantGateway } from '../../plant/plant.ts'
import type { EventDraft } from '../../store/ingest/batch.ts'

type Away = 'offline' | 'stale'

const ofGateway: Record<Away, { label: Text; priority: Priority }> = {
  offline: { label: { zh: '网关离线', en: 'Gateway offline' }, priority: 'high' },
  stale: { label: { zh: '网关数据中断', en: 'Gateway not reporting' }, priority: 'medium' },
}

const ofDevice: Record<Away, { label: Text; priority: Priority }> = {
  offline: { label: { zh: '设备离线', en: 'Device offline' }, priority: 'high' },
  stale: { label: { zh: '设备数据中断', en: 'Device not reporting' }, priority: 'medium' },
}

/** The event of a gateway that went away or came back. */
export const linkEvent = (gateway: PlantGateway, kind: Away, act: 'raise' | 'return', at: number): EventDraft => ({
  ...draft(gateway, act, at),
  key: `gateway.${kind}`,
  ...ofGateway[kind],
})

/** The event of a device that went away or came back while its gateway lives. */
export const deviceEvent = (device: PlantDevice, kind: Away, act: 'raise' | 'return', at: number): EventDraft => ({
  ...draft(device.gateway, act, at),
  device,
  key: `device.${kind}`,
  ...ofDevice[kind],
})

const draft = (gateway: PlantGateway, act: 'raise' | 'return', at: number) =>
  ({
    act,
    kind: 'fault',
    point: null,
    value: null,
    limit: null,
    unit: '',
    gateway,
    line: null,
    at,
    historical: false,
  }) as const
