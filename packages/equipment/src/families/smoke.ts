import { family } from '../family.ts'

/** Networked smoke detector. Its alarm latches: only the detector's own reset clears it. */
export const smoke = family({
  key: 'smoke',
  label: { zh: '烟感探测器', en: 'Smoke detector' },
  level: 'device',
  route: 'smoke',
  models: ['SM-1', 'JTY-GD'],
  points: [
    { key: 'smoke', label: { zh: '烟雾浓度', en: 'Smoke obscuration' }, quantity: 'smoke', unit: '%/m', precision: 1, slot: 0 },
    { key: 'temperature', label: { zh: '温度', en: 'Temperature' }, quantity: 'temperature', unit: '°C', precision: 1, slot: 1 },
    { key: 'battery', label: { zh: '电池电量', en: 'Battery' }, quantity: 'battery', unit: '%', precision: 0, slot: 2 },
    { key: 'signal', label: { zh: '信号强度', en: 'Signal' }, quantity: 'signal', unit: 'dBm', precision: 0, slot: 3 },
  ],
  states: [
    {
      key: 'smoke.alarm',
      label: { zh: '火警', en: 'Fire alarm' },
      values: [
        { key: 'normal', label: { zh: '正常', en: 'Normal' } },
        { key: 'alarm', label: { zh: '报警', en: 'Alarm' } },
      ],
    },
    {
      key: 'sounder',
      label: { zh: '蜂鸣器', en: 'Sounder' },
      values: [
        { key: 'quiet', label: { zh: '静音', en: 'Quiet' } },
        { key: 'sounding', label: { zh: '鸣响', en: 'Sounding' } },
      ],
    },
    {
      key: 'detector.fault',
      label: { zh: '探测器故障', en: 'Detector fault' },
      values: [
        { key: 'none', label: { zh: '无', en: 'None' } },
        { key: 'chamber', label: { zh: '迷宫污染', en: 'Chamber dirty' } },
        { key: 'sensor', label: { zh: '传感器故障', en: 'Sensor fault' } },
      ],
    },
  ],
  settings: [],
  actions: [{ key: 'silence', label: { zh: '消音', en: 'Silence' }, confirmedBy: { state: 'sounder', value: 'quiet' } }],
  alarms: [
    {
      on: 'state',
      key: 'smoke.alarm',
      label: { zh: '烟雾火警', en: 'Smoke alarm' },
      kind: 'alarm',
      priority: 'critical',
      state: 'smoke.alarm',
      values: ['alarm'],
      onDelayMs: 0,
      offDelayMs: 0,
      latching: true,
    },
    {
      on: 'state',
      key: 'detector.fault',
      label: { zh: '探测器故障', en: 'Detector fault' },
      kind: 'fault',
      priority: 'high',
      state: 'detector.fault',
      values: ['chamber', 'sensor'],
      onDelayMs: 0,
      offDelayMs: 0,
      latching: false,
    },
    {
      on: 'limit',
      key: 'battery.low',
      label: { zh: '电池电量低', en: 'Battery low' },
      kind: 'warning',
      priority: 'medium',
      points: ['battery'],
      side: 'under',
      limit: { value: 15 },
      deadBandShare: 0.2,
      onDelayMs: 0,
      offDelayMs: 0,
      latching: false,
    },
  ],
})
