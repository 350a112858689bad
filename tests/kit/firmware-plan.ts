import type { GatewayPlan, ProjectPlan } from '@linewarden/simulator'

const gateway = (number: string, more: Partial<GatewayPlan> = {}): GatewayPlan => ({
  number,
  name: `网关${number}`,
  secret: '',
  reportingPeriodMs: 1_000,
  devices: [
    {
      controllerId: `${number}-T1`,
      family: 'breaker3p',
      model: '3PN',
      name: '三相',
      lines: [{ lineNo: 1, name: `${number}线1`, ratedCurrentA: 63, load: 'office' }],
    },
  ],
  ...more,
})

/** Gateways of one model in two projects, one of another model, and one that is ahead of the others. */
export const firmwarePlan: readonly ProjectPlan[] = [
  ['FA', [gateway('F-1'), gateway('F-2'), gateway('F-3'), gateway('F-4')]],
  ['FB', [gateway('F-5'), gateway('F-NEW', { firmware: '9.0.0' }), gateway('F-X', { model: 'OTHER-1' })]],
].map(([name, gateways]) => ({
  group: '测试',
  name: name as string,
  timeZone: 'Asia/Shanghai',
  standard: 'GB',
  gateways: gateways as GatewayPlan[],
}))
