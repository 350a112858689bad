import { message } from '../../terms/message.ts'
import { text } from '../../terms/text.ts'

export const actions = {
  'deviceData.export': text('导出设备数据', 'Export device data'),
} as const

export const refusals = {
  'report too large': message(
    '共 {rows} 行，一个文件最多 {most} 行。请缩短时间、减少线路，或改用更大的步长',
    'There are {rows} rows, and a file has at most {most}. Shorten the period, select fewer lines or a larger step',
    409,
  ),
  'report too slow': message(
    '数据太多，查询超时。请缩短时间、减少线路，或改用更大的步长',
    'There is so much data that it takes too long. Shorten the period, select fewer lines or a larger step',
    409,
  ),
} as const
