import type { Family } from '@linewarden/equipment'
import { families } from '@linewarden/equipment'
import type { ProjectPlan } from '@linewarden/simulator'

type DevicePlan = ProjectPlan['gateways'][number]['devices'][number]

/** One gateway with a device of every family, each under its family's key. */
export const everyFamilyPlan: readonly ProjectPlan[] = oneGateway(
  families.map((family) => deviceOf(family, family.models[0] ?? '', { controllerId: family.key, lines: 2, ratedCurrentA: 40 })),
)

/** One gateway with a device of every model of every family, with one line, under `modelId`. 1.2 of 63 A is no whole number. */
export const everyModelPlan: readonly ProjectPlan[] = oneGateway(
  families.flatMap((family) =>
    family.models.map((model) => deviceOf(family, model, { controllerId: modelId(family, model), lines: 1, ratedCurrentA: 63 })),
  ),
)

/** What the device of this model is called in `everyModelPlan`. */
export function modelId({ key }: Family, model: string): string {
  return `${key}-${model}`
}

function deviceOf(
  { key, level }: Family,
  model: string,
  { controllerId, lines, ratedCurrentA }: { controllerId: string; lines: number; ratedCurrentA: number },
): DevicePlan {
  const load = 'office' as const
  return {
    controllerId,
    family: key,
    model,
    name: controllerId,
    reportsSettings: true,
    circuit: { ratedCurrentA, load },
    lines: Array.from({ length: level === 'line' ? lines : 0 }, (_, index) => ({
      lineNo: index + 1,
      name: `${controllerId} ${index + 1}`,
      ratedCurrentA,
      load,
    })),
  }
}

function oneGateway(devices: readonly DevicePlan[]): readonly ProjectPlan[] {
  const gateway = { number: 'GW-F', name: '设备族柜', secret: '', reportingPeriodMs: 1_000, devices }
  return [{ group: '测试', name: '设备族', timeZone: 'Asia/Shanghai', standard: 'GB', gateways: [gateway] }]
}
