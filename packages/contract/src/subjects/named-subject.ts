import type { SubjectKind } from './subjects.ts'

/** A thing that a request names, by the path of its field: `Assigned.HouseIDs`. */
export type NamedSubject =
  /** By its id, or several of them. */
  | { readonly kind: Exclude<SubjectKind, 'push' | 'line'>; readonly id: string }
  | { readonly kind: 'push'; readonly project: string; readonly id: string }
  /** A line, or where no line is named the device. */
  | { readonly kind: 'line'; readonly device: string; readonly line: string }
  /** `{ ControllerID, LineNo }`, or a list of them. */
  | { readonly kind: 'line'; readonly each: string }
  /** What is to be made has no id yet: it is told by what it is to be called. */
  | { readonly called: string }
  /** Whose it is to be; where nobody is named it is the installation's own. */
  | { readonly owner: string }
