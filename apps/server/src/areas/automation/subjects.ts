import type { SubjectSource } from '../../audit/names.ts'
import { sameText } from '../../audit/names.ts'
import type { Plant } from '../../plant/plant.ts'
import { linkageNames } from '../../store/automation/linkage.ts'
import { sceneNames } from '../../store/automation/scene.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
}

/** Timers in the audit log: by their names, as far as somebody sees them. */
export const timerSubjects = ({ database, plant }: Deps): SubjectSource => ({
  named: async (actor, ids) => {
    const timers = await withRowSecurity(database, actor.scope, ({ general }) =>
      timersWhere(general, { timerIds: ids.map(Number) }),
    )
    return new Map(timers.map(({ timerId, name }) => [String(timerId), sameText(name)]))
  },
  ownerOf: async (id) => {
    const [timer] = await timersWhere(database.general, { timerIds: [Number(id)] })
    return timer ? plant.projects.get(timer.projectId)?.ownerId : undefined
  },
})

/** Scenes in the audit log: by the names that they have, also once they were removed. */
export const sceneSubjects = ({ database, plant }: Deps): SubjectSource => ({
  named: async (actor, ids) => {
    const scenes = await withRowSecurity(database, actor.scope, ({ general }) => sceneNames(general, ids.map(Number)))
    return new Map(scenes.map(({ sceneId, name }) => [String(sceneId), sameText(name)]))
  },
  ownerOf: async (id) => {
    const [scene] = await sceneNames(database.general, [Number(id)])
    return scene ? plant.projects.get(scene.projectId)?.ownerId : undefined
  },
})

/** Linkages in the audit log, likewise. */
export const linkageSubjects = ({ database, plant }: Deps): SubjectSource => ({
  named: async (actor, ids) => {
    const linkages = await withRowSecurity(database, actor.scope, ({ general }) => linkageNames(general, ids.map(Number)))
    return new Map(linkages.map(({ linkageId, name }) => [String(linkageId), sameText(name)]))
  },
  ownerOf: async (id) => {
    const [linkage] = await linkageNames(database.general, [Number(id)])
    return linkage ? plant.projects.get(linkage.projectId)?.ownerId : undefined
  },
})
