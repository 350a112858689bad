import type { DeviceDataMark } from '@linewarden/contract'
import { text } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'

export const fileName = text('设备数据', 'device-data')

export const heads = {
  time: text('时间', 'Time'),
  offset: text('UTC 偏移', 'UTC offset'),
  gateway: text('网关', 'Gateway'),
  device: text('设备', 'Device'),
  line: text('线路', 'Line'),
  mean: text('平均', 'mean'),
  min: text('最小', 'min'),
  max: text('最大', 'max'),
  used: text('用量', 'used'),
  complete: text('完整率 (%)', 'Complete (%)'),
  quality: text('质量', 'Quality'),
} as const

export const markWords: Readonly<Record<DeviceDataMark | 'missing', Text>> = {
  missing: text('缺数', 'no data'),
  late: text('补传', 'back-filled'),
  clock: text('时钟偏差', 'clock off'),
  open: text('未结束', 'not over'),
  spread: text('补算', 'spread'),
  estimated: text('估算', 'estimated'),
  entered: text('录入', 'entered'),
}
