import * as Type from 'typebox'
import { call, largeBodyBytes } from '../../core/call.ts'
import { exact, id, maybe, optional, paging, sorting, Version } from '../../core/schemas.ts'
import { Checklist } from './checklist.ts'
import { InspectionPlan, PlanID, planFields } from './plan.ts'

const inspection = { area: 'inspection', permission: 'hazard.patrol', scope: { kind: 'own' } } as const
const changes = { ...inspection, audited: true, movesEquipment: false, touches: ['inspectionPlans', 'inspectionRounds'] } as const
const ofStops = [
  { kind: 'gatewayId', id: 'Stops.DeviceID' },
  { kind: 'device', id: 'Stops.ControllerID' },
] as const

export const queryInspectionPlans = call({
  ...inspection,
  name: 'queryInspectionPlans',
  method: 'POST',
  path: '/patrols/plans/query',
  reads: true,
  scope: { kind: 'project', id: 'HouseID', optional: true },
  shows: ['inspectionPlans'],
  summary: 'Plans of inspection rounds that I see, those first whose next due date comes first',
  body: Type.Object(
    {
      CityID: optional(id),
      HouseID: optional(id),
      PlanID: optional(PlanID),
      Text: optional(maybe(64, 'Part of its name')),
      ...sorting('NextDue', 'Name'),
      ...paging,
    },
    exact,
  ),
  datas: InspectionPlan,
})

export const insertInspectionPlan = call({
  ...changes,
  name: 'insertInspectionPlan',
  method: 'POST',
  path: '/patrols/plans/insert',
  scope: { kind: 'project', id: 'HouseID' },
  subject: [{ kind: 'project', id: 'HouseID' }, { called: 'Name' }, ...ofStops],
  summary: 'Make a plan of inspection rounds; from its first due date on it makes them by itself',
  body: Type.Object({ HouseID: id, ...planFields }, exact),
  maxBodyBytes: largeBodyBytes,
  data: InspectionPlan,
})

export const updateInspectionPlan = call({
  ...changes,
  name: 'updateInspectionPlan',
  method: 'PUT',
  path: '/patrols/plans/update',
  subject: [{ kind: 'inspectionPlan', id: 'PlanID' }, ...ofStops],
  summary: 'Write a plan anew; rounds that were started stay as they began',
  body: Type.Object({ PlanID, Version, ...planFields }, exact),
  maxBodyBytes: largeBodyBytes,
  data: InspectionPlan,
})

export const deleteInspectionPlan = call({
  ...changes,
  name: 'deleteInspectionPlan',
  method: 'PUT',
  path: '/patrols/plans/delete',
  subject: [{ kind: 'inspectionPlan', id: 'PlanID' }],
  summary: 'Take a plan out: its rounds stay, but those that were not started',
  body: Type.Object({ PlanID, Version }, exact),
})

export const inspectionPeople = call({
  ...inspection,
  name: 'inspectionPeople',
  method: 'GET',
  path: '/patrols/people',
  scope: { kind: 'project', id: 'HouseID' },
  shows: ['users'],
  summary: 'Who can be assigned to rounds of a project: they see it and may open the page',
  query: Type.Object({ HouseID: id }, exact),
  datas: Type.Object({ AccountID: Type.String(), Name: Type.String(), JobName: Type.String() }, exact),
})

export const inspectionChecklists = call({
  ...inspection,
  name: 'inspectionChecklists',
  method: 'GET',
  path: '/patrols/checklists',
  shows: ['inspectionPlans'],
  summary: 'The checklists that come with the platform: of each family, of gateways and of places',
  datas: Checklist,
})
