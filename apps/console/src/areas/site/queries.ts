import { accountDetails, listUsers, lookupProjects, projectsByGroup, queryGroups } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'

/** What groups, projects and gateways are shown by: after a change all of it is asked for again. */
const shownBy = [
  'groups',
  'projects',
  'gateways',
  'gateway',
  'announced',
  'devices',
  'ledger',
  'tree',
  'projectNames',
  'groupNames',
]

/** Something about groups, projects or gateways was changed here: every list and the equipment tree are asked for again. */
export const siteChanged = (): Promise<void> => askAgain(shownBy)

/** A gateway is gone: everything is asked for again but the gateway itself. */
export const gatewayGone = (): Promise<void> => askAgain(shownBy.filter((each) => each !== 'gateway'))

const askAgain = (names: readonly string[]): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => names.includes(String(queryKey[0])) })

/** Names of every project I see, for pickers. */
export const useProjectNames = () =>
  useQuery({ queryKey: ['projectNames'], queryFn: () => api.call(lookupProjects, { query: {} }), staleTime: 30_000 })

/** Groups of my tree with their projects. */
export const useGroupNames = () =>
  useQuery({ queryKey: ['groupNames'], queryFn: () => api.call(projectsByGroup), staleTime: 30_000 })

/** Who I am among the accounts: platform administrator, project administrator, sub-account or shared. */
export const useMe = () => useQuery({ queryKey: ['me'], queryFn: () => api.call(accountDetails), staleTime: 60_000 })

/** The project administrators, for who runs the installation. */
export const useAdministrators = (enabled: boolean) =>
  useQuery({
    queryKey: ['users', 'administrators'],
    queryFn: () => api.call(listUsers, { body: { Kind: 'project', Size: 200 } }),
    enabled,
    staleTime: 30_000,
  })

/** Groups with whose they are, for the platform administrator who moves projects between owners. */
export const useOwnedGroups = (enabled: boolean) =>
  useQuery({
    queryKey: ['groups', 'owned'],
    queryFn: () => api.call(queryGroups, { body: { Size: 200 } }),
    enabled,
    staleTime: 30_000,
  })
