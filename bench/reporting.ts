import type { GatewayPlan } from '@linewarden/simulator'
import { DataType, deviceTopic, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'
import mqtt from 'mqtt'
import type { Field } from './field.ts'

/** A gateway of one line whose every reading waits for its acknowledgement. */
export async function reporting(target: Field, gateway: GatewayPlan | undefined) {
  const { number, secret, devices } = gateway ?? { number: '', secret: '', devices: [] }
  const device = devices[0]?.controllerId ?? ''
  const edge = await mqtt.connectAsync(`mqtt://127.0.0.1:${target.mqttPort}`, {
    username: number,
    password: secret,
    reconnectPeriod: 0,
  })
  const bdSeq = metric({ name: 'bdSeq', type: DataType.Int64, value: 0 })
  const born = [
    metric({ name: 'info/model', type: DataType.String, value: '3PN' }),
    metric({ name: '1/info/ratedCurrent', type: DataType.Float, value: 63 }),
    metric({ name: '1/voltage.a', alias: 1, type: DataType.Float, value: 230 }),
  ]
  const send = (topic: string, seq: number, metrics: ReturnType<typeof metric>[]) =>
    edge.publishAsync(topic, Buffer.from(encodePayload({ timestampMs: Date.now(), seq, metrics })), { qos: 1 })
  await send(edgeTopic('bench', 'NBIRTH', number), 0, [bdSeq])
  await send(deviceTopic('bench', 'DBIRTH', number, device), 1, born)
  let seq = 1
  return {
    async report(index: number): Promise<void> {
      seq = (seq + 1) % 256
      await send(deviceTopic('bench', 'DDATA', number, device), seq, [
        metric({ alias: 1, type: DataType.Float, value: 225 + (index % 10) }),
      ])
    },
    end: () => edge.endAsync(true),
  }
}
