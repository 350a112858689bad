import type { Reply, Request, SceneRunEntry, sceneLog } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { linesOfExecutions } from '../../store/automation/execution-list.ts'
import { commandRecord } from '../control/records.ts'
import type { AutomationDeps } from './deps.ts'
import { createRunLog } from './log.ts'
import { placeFilter } from './place-filter.ts'

/** Runs of scenes, newest first. The lines of one are there where one is asked for, of the others how many stand where. */
export function createSceneLog(deps: Pick<AutomationDeps, 'database' | 'plant' | 'dueClock'>) {
  const { database, plant } = deps
  const runLog = createRunLog(deps)

  return async (
    actor: Actor,
    project: PlantProject | null,
    body: Request<typeof sceneLog>['body'],
  ): Promise<Reply<typeof sceneLog>> => {
    const { items, ...all } = await runLog(
      actor,
      {
        ...{
          source: 'scene',
          ...placeFilter(actor, plant, project, body),
          sourceId: body.SceneID,
          executionId: body.RunID,
          name: body.Name,
        },
        ...{ states: body.States ?? (body.State && [body.State]), from: body.From, to: body.To },
      },
      { page: body.Page ?? 1, size: body.Size ?? 10, amissFirst: body.AmissFirst },
    )
    const isThere = items.some(({ RunID }) => RunID === body.RunID)
    const lines = isThere && body.RunID !== undefined ? await linesOf(actor, body.RunID) : []
    return { ...all, items: items.map((entry) => ({ ...entry, Lines: entry.RunID === body.RunID ? lines : [] })) }
  }

  async function linesOf(actor: Actor, executionId: string): Promise<SceneRunEntry['Lines']> {
    const lines = await linesOfExecutions(database.general, [executionId])
    return lines.flatMap(({ action, lineId, state, refusal, command }) => {
      const line = plant.lines.get(lineId)
      if (!line || !actor.seesGateway(line.device.gateway)) return []
      return {
        Action: action === 'trip' ? action : 'close',
        LineID: lineId,
        ControllerID: line.device.controllerId,
        LineNo: line.lineNo,
        LineName: line.name,
        State: state,
        Refusal: refusal && { Key: refusal.key, Text: { ...refusal.text } },
        Command: command && commandRecord(command, line),
      }
    })
  }
}
