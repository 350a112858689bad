import { getRun, lineSelfTests, listRuns } from '@linewarden/contract'
import { keyOf } from '../../app/net/keys.ts'
import type { LiveListener } from '../../app/net/live-link.ts'
import { queryClient } from '../../app/net/query-client.ts'
import { refreshSoon } from '../../app/net/refresh-soon.ts'
import { putCommand, recheckAfterMs } from './queries.ts'

const operationsAfterMs = 1_000

/** Steps of commands and of group operations, and tags hung or taken off. */
export const controlLive: LiveListener = {
  onLive(message) {
    if (message.t === 'command') {
      putCommand(message.command)
      // The record of a test is written after the command has ended.
      if (message.command.Action === 'selfTest') refreshSoon(keyOf(lineSelfTests), operationsAfterMs)
    } else if (message.t === 'tags') refreshSoon({ shows: ['tags'] }, recheckAfterMs)
    else if (message.t === 'run') {
      queryClient.setQueryData(keyOf(getRun, { params: { RunID: message.run.RunID } }), message.run)
      refreshSoon(keyOf(listRuns), operationsAfterMs)
    }
  },
}
