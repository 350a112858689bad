import type { GatewayPlan, LineAddress } from './plan.ts'

/** Which line of a gateway feeds which: what the plant lives by and what an electrician registers. */
export function feedTree({ incomer, devices }: GatewayPlan): { readonly line: LineAddress; readonly upstream: LineAddress }[] {
  return devices.flatMap(({ controllerId, lines }) =>
    lines.flatMap(({ lineNo, upstream = incomer, ownSupply }) =>
      upstream === undefined || ownSupply || (upstream.controllerId === controllerId && upstream.lineNo === lineNo)
        ? []
        : [{ line: { controllerId, lineNo }, upstream }],
    ),
  )
}
