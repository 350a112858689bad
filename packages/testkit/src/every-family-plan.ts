import { families } from '@linewarden/equipment'
import type { ProjectPlan } from '@linewarden/simulator'

/** One gateway with a device of every family, each under its family's key. */
export const everyFamilyPlan: readonly ProjectPlan[] = [
  {
    group: '测试',
    name: '设备族',
    timeZone: 'Asia/Shanghai',
    standard: 'GB',
    gateways: [
      {
        number: 'GW-F',
        name: '设备族柜',
        secret: '',
        reportingPeriodMs: 1_000,
        devices: families.map(({ key, models, level }) => ({
          controllerId: key,
          family: key,
          model: models[0] ?? '',
          name: key,
          reportsSettings: true,
          circuit: { ratedCurrentA: 40, load: 'office' as const },
          lines:
            level === 'line'
              ? [1, 2].map((lineNo) => ({ lineNo, name: `${key} ${lineNo}`, ratedCurrentA: 40, load: 'office' as const }))
              : [],
        })),
      },
    ],
  },
]
