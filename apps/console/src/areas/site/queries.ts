import { accountDetails, lookupProjects, projectsByGroup, reportUsers } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/net/api.ts'
import { queryClient } from '../../app/net/query-client.ts'

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

/** Groups of my tree with whose they are and their projects: all of them, however many there are. */
export const useGroupNames = () =>
  useQuery({ queryKey: ['groupNames'], queryFn: () => api.call(projectsByGroup), staleTime: 30_000 })

/** Who I am among the accounts: platform administrator, project administrator, sub-account or shared. */
export const useMe = () => useQuery({ queryKey: ['me'], queryFn: () => api.call(accountDetails), staleTime: 60_000 })

/** The project administrators, for who runs the installation: all of them. */
export const useAdministrators = (enabled: boolean) =>
  useQuery({
    queryKey: ['users', 'administrators'],
    queryFn: () => api.call(reportUsers, { query: { Kind: 'project' } }),
    enabled,
    staleTime: 30_000,
  })
