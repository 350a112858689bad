import { battery, batteryLow, detectorFault, faultAlarm, ownTemperature, signal, signalWeak, stateAlarm } from '../detecting.ts'
import { family } from '../family.ts'

const fault = detectorFault('probe')

/** Leak sensor on 4G: two electrodes near the floor. It dries by itself, so its alarm does not latch. */
export const waterImmersion = family({
  key: 'waterImmersion',
  label: { zh: '4G水浸传感器', en: '4G water-leak sensor' },
  level: 'device',
  icon: 'water',
  calls: ['GET /waterimmersion/details/4g'],
  models: ['WI-4G'],
  points: [battery(0), signal(1), ownTemperature(2)],
  states: [
    {
      key: 'water',
      label: { zh: '水浸', en: 'Water' },
      values: [
        { key: 'dry', label: { zh: '干燥', en: 'Dry' } },
        { key: 'wet', label: { zh: '浸水', en: 'Wet' } },
      ],
    },
    fault,
  ],
  settings: [],
  actions: [],
  alarms: [
    stateAlarm('water', { zh: '水浸报警', en: 'Water leak' }, 'alarm', 'high', 'water', ['wet']),
    faultAlarm(fault),
    batteryLow,
    signalWeak,
  ],
})
