import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, optional } from '../../core/schemas.ts'
import { runPlace } from './runs.ts'

export const scenesAbout = call({
  name: 'scenesAbout',
  area: 'automation',
  permission: 'scene.list',
  method: 'POST',
  path: '/scenes/about',
  reads: true,
  keepsAlive: false,
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['scenes'],
  summary: 'Projects with scenes, of a place and seen by me, that nobody answers for',
  body: Type.Object(runPlace, exact),
  data: Type.Object(
    {
      OrphansOf: Type.Array(Type.Object({ HouseID: Type.Integer(), Name: Type.String(), Count: Type.Integer() }, exact)),
    },
    exact,
  ),
})

export const takeOrphanedScenes = call({
  name: 'takeOrphanedScenes',
  area: 'automation',
  permission: 'manageScene',
  method: 'PUT',
  path: '/scenes/orphans',
  audited: true,
  touches: ['scenes'],
  scope: { kind: 'project', id: 'HouseID' },
  subject: [{ kind: 'project', id: 'HouseID' }],
  summary:
    'Become the owner of every scene of a project that has none: administrators. Grant `automation:scene:orphans:{HouseID}`',
  body: Type.Object(
    {
      HouseID: id,
      Grant: optional(
        Type.String({
          ...{ secret: true, minLength: 1, maxLength: 128 },
          description: 'When a control password is set',
        }),
      ),
    },
    exact,
  ),
  data: Type.Object({ Taken: Type.Integer(), Left: Type.Integer() }, exact),
})
