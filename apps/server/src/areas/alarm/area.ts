import { alarmArea as manifest } from '@linewarden/contract'
import { serverArea } from '../server-area.ts'
import { alarmRoutes } from './routes.ts'
import { createAlarms } from './service.ts'
import { alarmSubjects } from './subjects.ts'

export const alarmArea = serverArea(manifest, { create: createAlarms, routes: alarmRoutes, subjects: alarmSubjects })
