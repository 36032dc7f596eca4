#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures our build of PyTorch against upstream's own, side by side: same sources, compiler and options.

    bench/build_against_upstream.py --build build/cpu-libtorch-shared                 # a sample of 5 %
    bench/build_against_upstream.py --build build/cpu-libtorch-shared --sample 20
    bench/build_against_upstream.py --build build/cpu-libtorch-shared --everything

"Upstream's own" is PyTorch's CMake as its README runs it, on the source tree that our build has fetched and patched,
with the cache options that our declaration gives: everything that its default target compiles, one source per
compile. Ours is what the superbuild compiles: sources in proven groups, and without the files that only
third-party tests use. No compiler cache on either side.

A sample is drawn from our compiles: every n-th, after sorting by name. Each one is run, and right after it upstream's
compiles of the same sources; upstream's compiles that ours has no counterpart for are sampled at the same rate. CPU seconds
are user + system of each compiler process. --everything runs all compiles of both sides, one side after the other, and
gives wall time as well. Writes bench/results/build.json.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'unity'))
import compiles  # noqa: E402

GENERATED = ['generate-torch-sources', 'ATEN_CPU_FILES_GEN_TARGET']


def cache_options(package):
    """The -D options of our configure, from its CMakeCache.txt: what the declaration set, and no folder of ours."""
    with open(os.path.join(package, 'package.json')) as stream:
        declared = json.load(stream)
    names = {option.split('=', 1)[0] for option in declared['options']} - {'XNNPACK_BUILD_ALL_MICROKERNELS'}
    names |= {feature['option'] for feature in declared['features'].values()}
    names |= {'CMAKE_C_COMPILER', 'CMAKE_CXX_COMPILER', 'CMAKE_BUILD_TYPE', 'CMAKE_PREFIX_PATH'}
    options = []
    with open(os.path.join(package, 'build', 'CMakeCache.txt')) as stream:
        for line in stream:
            match = re.match(r'([A-Za-z0-9_]+):[A-Z]+=(.*)', line)
            if match and match.group(1) in names:
                options.append(f'-D{match.group(1)}={match.group(2)}')
    environment = dict(os.environ, **dict(pair.split('=', 1) for pair in declared['environment']))
    for name, value in environment.items():
        environment[name] = re.sub(r'@PREFIX_([a-z0-9-]+)@',
                                   lambda m: os.path.join(package, '..', m.group(1), 'install'), value)
    return options, environment


def prepare_upstream(package, work):
    """Configures upstream's own build and generates its sources; returns its build folder."""
    build = os.path.join(work, 'upstream')
    options, environment = cache_options(package)
    if not os.path.exists(os.path.join(build, 'build.ninja')):
        subprocess.run(['cmake', '-S', os.path.join(package, 'source'), '-B', build, '-G', 'Ninja',
                        '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON', *options], check=True, env=environment,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    targets = subprocess.run(['ninja', '-C', build, '-t', 'targets', 'all'], check=True, capture_output=True, text=True)
    generated = re.findall(r'^(\S*\.pb\.(?:h|cc)): CUSTOM_COMMAND', targets.stdout, re.M)
    subprocess.run(['ninja', '-C', build, *GENERATED, *generated], check=True, env=environment, stdout=subprocess.DEVNULL)
    return build


def relative(path, build, source):
    """A name that is the same for both builds."""
    for folder, name in ((build, 'build'), (source, 'source')):
        if path.startswith(folder + os.sep):
            return name + path[len(folder):]
    return path


def members_of(command):
    """The sources of a unit that CMake's UNITY_BUILD wrote, or the file itself."""
    if '/Unity/unity_' not in command.file:
        return [command.file]
    with open(command.file) as stream:
        return re.findall(r'#include "([^"]+)"', stream.read())


def cost(command, work):
    result = compiles.compile_one(command, command.file, os.path.join(work, 'out.o'))
    if not result.ok:
        sys.exit(f'{command.file} does not compile:\n{result.errors[-2000:]}')
    return result


def built_by_default(build, commands):
    """Only what the default target compiles."""
    listing = subprocess.run(['ninja', '-C', build, '-t', 'commands'], check=True, capture_output=True, text=True).stdout
    objects = set(re.findall(r' -o (\S+\.o) -c ', listing))
    return [c for c in commands if c.object in objects]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', required=True, help='build folder of a preset that has been built')
    parser.add_argument('--sample', type=float, default=5, help='percent of our compiles (default 5)')
    parser.add_argument('--everything', action='store_true')
    parser.add_argument('--jobs', type=int, default=len(os.sched_getaffinity(0)), help='for --everything')
    parser.add_argument('--work', help='folder for upstream\'s build (default: <build>/bench)')
    parser.add_argument('--out', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), 'results', 'build.json'))
    options = parser.parse_args()
    package = os.path.abspath(os.path.join(options.build, 'packages', 'pytorch'))
    work = os.path.abspath(options.work or os.path.join(options.build, 'bench'))
    os.makedirs(work, exist_ok=True)
    ours_build, source = os.path.join(package, 'build'), os.path.join(package, 'source')
    upstream_build = prepare_upstream(package, work)
    with open(os.path.join(work, 'ours.json'), 'w') as stream:
        subprocess.run(['ninja', '-C', ours_build, '-t', 'compdb'], check=True, stdout=stream)
    ours = built_by_default(ours_build, compile_entries(os.path.join(work, 'ours.json')))
    theirs = built_by_default(upstream_build, compiles.load(os.path.join(upstream_build, 'compile_commands.json')))
    partners = {}
    for command in theirs:
        partners.setdefault(relative(command.file, upstream_build, source), []).append(command)
    for command in ours:
        command.members = [relative(m, ours_build, source) for m in members_of(command)]
    ours_names = {m for c in ours for m in c.members}
    only_theirs = [c for c in theirs if relative(c.file, upstream_build, source) not in ours_names]
    print(f'compiles: ours {len(ours)}, upstream {len(theirs)}, of which {len(only_theirs)} have no counterpart', flush=True)

    report = {'machine': {'cores': len(os.sched_getaffinity(0)),
                          'memory_gib': round(os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30, 1)},
              'compiles': {'ours': len(ours), 'upstream': len(theirs), 'only_upstream': len(only_theirs)}}
    if options.everything:
        for name, commands in (('ours', ours), ('upstream', theirs)):
            start = time.monotonic()
            costs = compiles.run_all(options.jobs, lambda n: compiles.compile_one(
                n[1], n[1].file, os.path.join(work, f'{n[0]}.o')), list(enumerate(commands)))
            failed = [c.file for c, r in zip(commands, costs) if not r.ok]
            if failed:
                sys.exit(f'{len(failed)} sources of {name} do not compile, first: {failed[0]}')
            report[name] = {'cpu_s': round(sum(r.cpu for r in costs), 1), 'wall_s': round(time.monotonic() - start, 1),
                            'peak_mib': round(max(r.peak for r in costs)), 'jobs': options.jobs}
        report['ratio'] = {k: round(report['ours'][k] / report['upstream'][k], 3) for k in ('cpu_s', 'wall_s')}
    else:
        step = max(1, round(100 / options.sample))
        pairs = []
        for command in sorted(ours, key=lambda c: c.members[0])[step // 2::step]:
            mine = cost(command, work)
            other = [cost(p, work) for m in command.members for p in partners.get(m, [])[:1]]
            pairs.append({'source': command.members[0], 'members': len(command.members), 'ours_cpu_s': round(mine.cpu, 2),
                          'upstream_cpu_s': round(sum(r.cpu for r in other), 2), 'peak_mib': round(mine.peak)})
            print(f"{pairs[-1]['ours_cpu_s']:8.2f} {pairs[-1]['upstream_cpu_s']:8.2f}  {command.members[0]}", flush=True)
        extra = [cost(c, work).cpu for c in sorted(only_theirs, key=lambda c: c.file)[step // 2::step]]
        sums = {'ours': sum(p['ours_cpu_s'] for p in pairs), 'upstream': sum(p['upstream_cpu_s'] for p in pairs) + sum(extra)}
        report['sample'] = {'percent': options.sample, 'compiles': len(pairs), 'only_upstream_cpu_s': round(sum(extra), 1),
                            'ours_cpu_s': round(sums['ours'], 1), 'upstream_cpu_s': round(sums['upstream'], 1),
                            'ratio': round(sums['ours'] / sums['upstream'], 3),
                            'ratio_same_sources': round(sums['ours'] / sum(p['upstream_cpu_s'] for p in pairs), 3)}
        report['pairs'] = pairs
    os.makedirs(os.path.dirname(options.out), exist_ok=True)
    with open(options.out, 'w') as stream:
        json.dump(report, stream, indent=2)
        stream.write('\n')
    print(json.dumps({k: v for k, v in report.items() if k != 'pairs'}, indent=2))


def compile_entries(path):
    """The compiles among what `ninja -t compdb` lists."""
    with open(path) as stream:
        entries = [e for e in json.load(stream) if re.search(r' -c \S+$', e['command']) and e['output'].endswith('.o')]
    for entry in entries:
        # Ninja's list names the dependency file; the object alone is what is measured.
        entry['command'] = re.sub(r' -MD -MT \S+ -MF \S+', '', entry['command'])
        entry['file'] = entry['command'].rsplit(' -c ', 1)[1]
    with open(path, 'w') as stream:
        json.dump(entries, stream)
    return compiles.load(path)


if __name__ == '__main__':
    main()
