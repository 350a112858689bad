import { controllerVersion, listFirmware } from '@linewarden/contract'
import { isSettled } from '@linewarden/rules/firmware'
import { useCall } from '../../app/net/use-call.ts'

export const useImages = () => useCall(listFirmware, {}, { staleTime: 10_000 })

/** What a gateway runs; asked for more often while it is in an upgrade. */
export const useGatewayVersion = (deviceId: number) =>
  useCall(
    controllerVersion,
    { body: { DeviceID: deviceId } },
    { refetchInterval: ({ state }) => (state.data?.Upgrade && !isSettled(state.data.Upgrade.State) ? 2_000 : 15_000) },
  )
