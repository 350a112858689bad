import { battery, batteryLow, ownTemperature, signal, stateAlarm, tamper, tamperAlarm } from '../detecting.ts'
import { family } from '../family.ts'

/** Passive infrared presence detector. Presence is a fact, not an alarm; the detector itself says when it is one. */
export const infrared = family({
  key: 'infrared',
  label: { zh: '红外人体探测器', en: 'Infrared presence detector' },
  level: 'device',
  icon: 'presence',
  calls: ['GET /infrared/details', 'GET /infrared/realtime'],
  models: ['IR-1'],
  points: [
    battery(0),
    signal(1),
    ownTemperature(2),
    {
      key: 'presence.count',
      label: { zh: '今日触发次数', en: 'Detections today' },
      quantity: 'count',
      unit: '',
      precision: 0,
      slot: 3,
    },
  ],
  states: [
    {
      key: 'presence',
      label: { zh: '有无人员', en: 'Occupancy' },
      values: [
        { key: 'nobody', label: { zh: '无人', en: 'Unoccupied' } },
        { key: 'somebody', label: { zh: '有人', en: 'Occupied' } },
      ],
    },
    {
      key: 'guard',
      label: { zh: '布防', en: 'Arming' },
      values: [
        { key: 'off', label: { zh: '撤防', en: 'Disarmed' } },
        { key: 'on', label: { zh: '布防', en: 'Armed' } },
      ],
    },
    {
      key: 'intrusion',
      label: { zh: '入侵报警', en: 'Intrusion alarm' },
      values: [
        { key: 'normal', label: { zh: '正常', en: 'Normal' } },
        { key: 'alarm', label: { zh: '报警', en: 'Alarm' } },
      ],
    },
    tamper,
  ],
  settings: [
    {
      key: 'presence.hold',
      label: { zh: '无人判定时间', en: 'Unoccupied after' },
      unit: 's',
      min: 5,
      max: 3600,
      step: 1,
      default: 30,
      source: 'ours; the specification names no range',
    },
    {
      key: 'guard.enabled',
      label: { zh: '布防开关', en: 'Arming' },
      unit: '',
      min: 0,
      max: 1,
      step: 1,
      default: 0,
      source: 'off 0, on 1',
    },
  ],
  actions: [],
  alarms: [
    stateAlarm('intrusion', { zh: '布防期间有人进入', en: 'Intrusion while armed' }, 'alarm', 'high', 'intrusion', ['alarm']),
    tamperAlarm,
    batteryLow,
  ],
})
