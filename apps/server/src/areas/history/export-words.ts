/** The heads of an exported table, as its reader speaks. */
export const words = {
  CN: {
    time: '时间',
    mean: '平均',
    min: '最小',
    max: '最大',
    used: '用量',
    quality: '质量',
    late: '补传',
    clock: '时钟偏差',
    file: '历史数据',
  },
  EN: {
    time: 'Time',
    mean: 'mean',
    min: 'min',
    max: 'max',
    used: 'used',
    quality: 'Quality',
    late: 'back-filled',
    clock: 'clock off',
    file: 'history',
  },
} as const

export type Words = (typeof words)[keyof typeof words]
