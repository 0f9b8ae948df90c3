#!/bin/sh
# Finds the first commit for which a command fails, in a worktree of its own; yours stays as it is.
# usage: bisect.sh <good> <bad> <command> [argument ...]
# The command runs at the top of a fresh tree. It ends with 0: good; 125: cannot be told here (does not build); else: bad.
# Exit status: 0 found; 1 only commits are left that could not be told; 2 wrong use; 3 good fails or bad does not;
# 4 git cannot go on.
set -u

if [ "$#" -lt 3 ]; then
  echo "usage: bisect.sh <good> <bad> <command> [argument ...]" >&2
  exit 2
fi
top=$(git rev-parse --show-toplevel) || exit 4
good=$(git rev-parse --verify --quiet "$1^{commit}") || { echo "no such commit: $1" >&2; exit 4; }
bad=$(git rev-parse --verify --quiet "$2^{commit}") || { echo "no such commit: $2" >&2; exit 4; }
shift 2
if [ "$good" = "$bad" ] || ! git merge-base --is-ancestor "$good" "$bad"; then
  echo "good has to come before bad in history" >&2
  exit 4
fi

place=$(mktemp -d) || exit 4
tree=$place/tree
leave() {
  git -C "$top" worktree remove --force --force "$tree" >/dev/null 2>&1
  rm -rf "$place"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

in_tree() {
  LC_ALL=C LANGUAGE= git -C "$tree" -c core.hooksPath=/dev/null -c advice.detachedHead=false "$@"
}

# 0 good, 125 cannot be told, else bad; always in a tree without leftovers of the commit before.
run_at() {
  commit=$1
  shift
  in_tree checkout --quiet --force --detach "$commit" || exit 4
  in_tree clean -qffdx
  (cd "$tree" && "$@") >"$place/output" 2>&1 </dev/null
}

git -C "$top" -c core.hooksPath=/dev/null worktree add --quiet --detach "$tree" "$good" || exit 4

run_at "$good" "$@"
if [ "$?" -ne 0 ]; then
  echo "the command does not succeed at good ($good):" >&2
  tail -n 20 "$place/output" >&2
  exit 3
fi
run_at "$bad" "$@"
case "$?" in
  0 | 125)
    echo "the command does not fail at bad ($bad):" >&2
    tail -n 20 "$place/output" >&2
    exit 3
    ;;
esac

in_tree bisect start "$bad" "$good" >"$place/log" 2>&1 || { tail -n 5 "$place/log" >&2; exit 4; }
while ! grep -q 'is the first bad commit\|only .*skip.*ped commits left' "$place/log"; do
  commit=$(in_tree rev-parse HEAD)
  run_at "$commit" "$@"
  case "$?" in
    0) word=good ;;
    125) word=skip ;;
    *) word=bad ;;
  esac
  in_tree checkout --quiet --force --detach "$commit"
  in_tree bisect "$word" >"$place/log" 2>&1 ||
    grep -q 'skip.*ped commits left' "$place/log" || { tail -n 5 "$place/log" >&2; exit 4; }
done
if ! grep -q 'is the first bad commit' "$place/log"; then
  echo "only these are left, and the command cannot tell:" >&2
  grep -E '^[0-9a-f]{40,64}$' "$place/log" >&2
  exit 1
fi
first=$(in_tree rev-parse refs/bisect/bad)
echo "first commit that fails:"
git -C "$top" show --no-patch --format='%H%n%an, %as%n%s' "$first"
git -C "$top" show --stat --format= "$first"
