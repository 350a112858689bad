import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, optional, ownUuid, requiredText, Version } from '../../core/schemas.ts'
import { Confirmed } from '../control/control.ts'
import { aLinkage, LinkageTarget, linkageMarks, truths } from './linkages.ts'
import { runImpact, SceneItem } from './scenes.ts'

const LinkagePermit = Type.Object(
  {
    LinkageID: Type.Integer(),
    Name: Type.String(),
    Version: Type.Integer(),
    Mark: Type.Enum(linkageMarks),
    State: Type.Enum(truths, { description: 'Of its conditions together' }),
    Items: Type.Array(Type.Object({ ...SceneItem.properties, DelayS: Type.Integer() }, exact), {
      description: 'What it operates, its scenes resolved to their lines; the sooner first, trips before closes',
    }),
    Raises: Type.Array(Type.String(), { description: 'Lines on which it raises an alarm' }),
    Orders: Type.Array(Type.String(), { description: 'Lines for which it has a work order made' }),
    DisabledScenes: Type.Array(Type.String(), { description: 'Scenes that it would run, and does not' }),
    ...runImpact,
  },
  exact,
)
export type LinkagePermit = Type.Static<typeof LinkagePermit>

export const linkagePermit = call({
  name: 'linkagePermit',
  area: 'automation',
  scope: { kind: 'own' },
  permission: 'linkage.list',
  alsoFor: ['linkage.log'],
  method: 'GET',
  path: '/linkages/:LinkageID/permit',
  keepsAlive: false,
  shows: ['linkages', 'automationRuns', 'tags', 'inspections', 'tripCauses'],
  summary: 'What a linkage would do now: what stands against each line, which load it moves, and the number to confirm',
  params: LinkageTarget,
  data: LinkagePermit,
})

export const runLinkage = call({
  name: 'runLinkage',
  area: 'automation',
  scope: { kind: 'own' },
  method: 'PUT',
  path: '/linkages/run',
  permission: 'lineSwitch',
  audited: true,
  subject: aLinkage,
  touches: ['linkages', 'automationRuns', 'commandHistory'],
  summary:
    'Have an enabled linkage whose conditions are true do now what it would do at a rise, with my rights; what it may not close it does not close now either',
  body: Type.Object(
    {
      LinkageID: id,
      RunID: { ...ownUuid, description: 'Made once per intent: sending it again never operates twice' },
      Version,
      Reason: requiredText(200),
      Confirmed,
      Grant: optional(
        Type.String({
          ...{ secret: true, minLength: 1, maxLength: 128 },
          description:
            'When a control password is set: for `trip:linkage/{RunID}/{LinkageID}/{Version}` of one that closes nothing, else `close:linkage/…`',
        }),
      ),
    },
    exact,
  ),
  data: Type.Object({ LinkageID: Type.Integer(), RunID: Type.String() }, exact),
})
