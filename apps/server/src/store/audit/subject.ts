import { aboutAccount } from '@linewarden/contract'

interface Gateway {
  readonly id: number
  readonly number: string
}
interface Device {
  readonly controllerId: string
  readonly gateway: { readonly id: number }
}

export const aboutGateway = ({ id, number }: Gateway) => ({ kind: 'gateway', id: number, gatewayId: id }) as const

export const aboutDevice = ({ controllerId, gateway }: Device) =>
  ({ kind: 'device', id: controllerId, gatewayId: gateway.id }) as const

export const aboutLine = ({ lineNo, device }: { readonly lineNo: number; readonly device: Device }) =>
  ({ kind: 'line', id: `${device.controllerId}/${lineNo}`, gatewayId: device.gateway.id }) as const

/** An account, called as it was named then. */
export const ofAccount = (userName: string) => ({ subject: aboutAccount(userName), target: userName })
