import { detector, parameter } from './detector.ts'

/** The voltage is distorted more than equipment stands. No family of equipment measures it, so nothing evaluates it yet. */
export const harmonic = detector({
  key: 'harmonic',
  label: { zh: '谐波', en: 'Harmonics' },
  priority: 'low',
  looks: 1,
  parameters: {
    thdPercent: parameter('电压总畸变率', 'Voltage distortion THDu', '%', [2, 5, 12], 'GB/T 14549, 0.38 kV: 5 %'),
    minutes: parameter('持续时间', 'Lasts', 'min', [10, 30, 240], 'default of ours'),
  },
})
