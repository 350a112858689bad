import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, maybe, optional, paging, search, sorting, Version } from '../../core/schemas.ts'
import { toSet, WantedValues } from './setting-order.ts'

export const SettingTemplate = Type.Object(
  {
    TemplateID: Type.Integer(),
    Name: Type.String(),
    Family: Type.String(),
    Settings: Type.Array(Type.Object({ Key: Type.String(), Value: Type.Number() }, exact)),
    Remark: Type.String(),
    ChangedBy: Type.String(),
    ChangedAt: Type.Integer(),
    Version: Type.Integer(),
  },
  exact,
)
export type SettingTemplate = Type.Static<typeof SettingTemplate>

const TemplateForm = {
  Name: called(64),
  Family: Type.String({ minLength: 1, maxLength: 64 }),
  Settings: WantedValues,
  Remark: optional(maybe(200)),
} as const

const onTemplates = { ...toSet, scope: { kind: 'own' } } as const

export const queryTemplates = call({
  ...onTemplates,
  name: 'queryTemplates',
  method: 'POST',
  path: '/settings/templates/query',
  reads: true,
  shows: ['templates'],
  summary: 'Templates of settings of my own tree',
  body: Type.Object(
    { Name: search, Family: optional(Type.String({ maxLength: 64 })), ...paging, ...sorting('Name', 'ChangedBy', 'ChangedAt') },
    exact,
  ),
  datas: SettingTemplate,
})

export const insertTemplate = call({
  ...onTemplates,
  name: 'insertTemplate',
  subject: [{ called: 'Name' }],
  method: 'POST',
  path: '/settings/templates/insert',
  audited: true,
  touches: ['templates'],
  summary: 'Keep values as a template',
  body: Type.Object(TemplateForm, exact),
  data: SettingTemplate,
})

export const updateTemplate = call({
  ...onTemplates,
  name: 'updateTemplate',
  subject: [{ kind: 'template', id: 'TemplateID' }],
  method: 'PUT',
  path: '/settings/templates/update',
  audited: true,
  touches: ['templates'],
  summary: 'Change a template; lines that were set from it stay as they are',
  body: Type.Object({ TemplateID: id, Version, ...TemplateForm }, exact),
  data: SettingTemplate,
})

export const deleteTemplate = call({
  ...onTemplates,
  name: 'deleteTemplate',
  subject: [{ kind: 'template', id: 'TemplateID' }],
  method: 'PUT',
  path: '/settings/templates/delete',
  audited: true,
  touches: ['templates'],
  summary: 'Remove a template; lines that were set from it stay as they are',
  body: Type.Object({ TemplateID: id }, exact),
})
