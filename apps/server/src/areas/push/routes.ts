import { addPush, deletePush, editPush, listPushes, rotatePush } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Push } from './service.ts'

export function pushRoutes(serve: Serve, push: Push): void {
  serve(listPushes, ({ project }) => push.list(project))
  serve(addPush, ({ actor, project, body }) => push.add(actor, project, body))
  serve(editPush, ({ actor, project, body }) => push.edit(actor, project, body))
  serve(rotatePush, ({ actor, project, body }) => push.rotate(actor, project, body.PushID))
  serve(deletePush, ({ actor, project, body }) => push.remove(actor, project, body.PushID))
}
