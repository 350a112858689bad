import type { ProjectPlan } from '@linewarden/simulator'

/** Two projects with a gateway each: enough for most facts, and quick to start. */
export const smallPlan: readonly ProjectPlan[] = ['A', 'B'].map((letter) => ({
  group: '测试',
  name: `项目${letter}`,
  timeZone: 'Asia/Shanghai',
  standard: 'GB',
  gateways: [
    {
      number: `GW-${letter}`,
      name: `${letter}柜`,
      secret: '',
      reportingPeriodMs: 1_000,
      devices: [
        {
          controllerId: `${letter}-T1`,
          family: 'breaker3p',
          model: '3PN',
          name: '三相',
          lines: [1, 2, 3, 4, 5, 6, 7, 8].map((lineNo) => ({
            lineNo,
            name: `${letter}线${lineNo}`,
            ratedCurrentA: 63,
            load: 'office',
          })),
        },
        { controllerId: `${letter}-Y1`, family: 'smoke', model: 'JTY-GD', name: '烟感', lines: [] },
      ],
    },
  ],
}))
