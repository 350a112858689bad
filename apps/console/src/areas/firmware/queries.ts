import { controllerVersion, listFirmware } from '@linewarden/contract'
import { isSettled } from '@linewarden/rules/firmware'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/net/api.ts'
import { queryClient } from '../../app/net/query-client.ts'

/** An image, a campaign or what a gateway runs changed here: all of it is asked for again. */
export const firmwareChanged = (): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('firmware') })

export const useImages = () =>
  useQuery({ queryKey: ['firmwareImages'], queryFn: () => api.call(listFirmware), staleTime: 10_000 })

/** What a gateway runs; asked for more often while it is in an upgrade. */
export const useGatewayVersion = (deviceId: number) =>
  useQuery({
    queryKey: ['firmwareVersion', deviceId],
    queryFn: () => api.call(controllerVersion, { body: { DeviceID: deviceId } }),
    refetchInterval: ({ state }) => (state.data?.Upgrade && !isSettled(state.data.Upgrade.State) ? 2_000 : 15_000),
  })
