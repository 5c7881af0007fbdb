// SPDX-License-Identifier: MIT
// `loom-cluster fragments train`: the policy of `loom fragments train`, byte for byte, swept by all ranks.
#include <chrono>

#include <nlohmann/json.hpp>

#include <loom/base/parts_file.h>
#include <loom/library/library.h>

#include "cluster/cluster_commands.h"
#include "cluster/cluster_sweeps.h"
#include "loom/fragments_training.h"
#include "loom/progress_bar.h"

namespace loom::cluster {
namespace {

struct ClusterFragmentsTrainArguments {
  std::shared_ptr<app::TrainArguments> train = std::make_shared<app::TrainArguments>();
  std::string checkpoint;
  std::size_t columns = 15;
};

int lead(const app::Command& command, Crew& crew, ClusterFragmentsTrainArguments& arguments) {
  app::TrainArguments& train = *arguments.train;
  if (train.name.empty()) train.name = train.policy.fragments;
  auto library = library::Library::open(train.library, library::Access::kWrite);
  if (!library) return app::report(library.error());
  if (arguments.checkpoint.empty()) arguments.checkpoint = usual_checkpoint(train.library, train.name);
  auto kept = PartsFile::open(arguments.checkpoint);
  if (!kept) return app::report(kept.error());
  const auto begin = std::chrono::steady_clock::now();
  ClusterSweeps sweeps(crew, &*kept, arguments.columns);
  train.policy.train.solve.engine = &sweeps;
  const auto trained = [&] {
    app::ProgressBar bar;
    return app::train(*library, train, bar.progress());
  }();
  if (!trained) return report_failure(trained.error(), arguments.checkpoint);
  if (const auto removed = kept->remove(); !removed) app::notice(removed.error().to_string());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return app::show_trained(command, train, *library, *trained, seconds, cluster_json(crew, sweeps.report()));
}

/// The others judge the same transitions, and help until there is nothing more to do.
int follow(Crew& crew, ClusterFragmentsTrainArguments& arguments) {
  ClusterSweeps sweeps(crew, nullptr, arguments.columns);
  arguments.train->policy.train.solve.engine = &sweeps;
  auto library = library::Library::open(arguments.train->library);
  const auto done =
      library ? app::train(*library, *arguments.train, {}) : Result<project::TrainedPolicy>(fail_from(library));
  if (!done && done.error().kind != ErrorKind::kStopped) crew.tell_failure(done.error());
  return app::kDone;  // rank 0 tells
}

}  // namespace

void add_fragments_train(app::Commands& commands, Crew& crew) {
  app::Command& command =
      commands.add("fragments", app::kFragmentsAbout, "train", "train a policy over fragments, swept by all ranks",
                   "mpirun -n 4 loom-cluster fragments train motions.loom moves --traces anna.csv ben.csv");
  auto arguments = std::make_shared<ClusterFragmentsTrainArguments>();
  app::add_train_options(*command.options, arguments->train);
  command.options->add_option("--checkpoint", arguments->checkpoint,
                              "where parts that are done are kept until all are (beside the library)");
  command.options->add_option("--columns", arguments->columns, "controls handed out at a time (15)")
      ->check(app::between(1, 10000));
  command.run = [arguments, &crew](const app::Command& c) {
    return crew.leads() ? lead(c, crew, *arguments) : follow(crew, *arguments);
  };
}

}  // namespace loom::cluster
