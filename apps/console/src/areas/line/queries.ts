import { lineDetails, lineReadings } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { useCall } from '../../app/net/use-call.ts'
import { serverNow } from '../../ui/use-now.ts'

const detailsMs = 15_000

export const useLineDetails = (ControllerID: string, LineNo: number) =>
  // What is set from here is told; asking again finds what was set on site.
  useCall(lineDetails, { params: { ControllerID, LineNo } }, { refetchInterval: detailsMs })

export const windowMs = 15 * 60_000

/** The last fifteen minutes as stored; what comes live is appended by the chart. */
export const useLastReadings = (ControllerID: string, LineNo: number) =>
  useQuery({
    queryKey: keyOf(lineReadings, { params: { ControllerID, LineNo } }),
    queryFn: () => {
      const now = serverNow()
      return api.call(lineReadings, { params: { ControllerID, LineNo }, query: { From: now - windowMs, To: now + 60_000 } })
    },
    refetchInterval: 60_000,
  })
