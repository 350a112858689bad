import * as Type from 'typebox'
import { exact } from './schemas.ts'

/** Rows of a list that go into one file: what is more is narrowed by the filter. */
export const maxExportedRows = 100_000

/** How a list leaves as a file. */
export const asFile = { Format: Type.Enum(['csv', 'xlsx']), Language: Type.Enum(['CN', 'EN']) } as const

/** A file that was prepared: a browser's download cannot sign its request, so it begins with a ticket that is good once. */
export const FileTicket = Type.Object({ Ticket: Type.String(), FileName: Type.String(), ExpiresAt: Type.Integer() }, exact)
